import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import { retryAfterMs } from '../retry-after.js';
import { AddressPolicy, type AddressPolicyOptions } from './address-policy.js';
import { type Exchanged, exchange, UnreadableAnswer } from './exchange.js';
import { type Agents, freshAgents, keepAliveAgents } from './keep-alive-agents.js';
import type {
  WebhookAnswer,
  WebhookFailure,
  WebhookFailureCode,
  WebhookRequest,
  WebhookSender,
} from './webhook-sender.js';
import { UnusableAddress } from './webhook-url.js';

export interface WebhookSenderOptions extends AddressPolicyOptions {
  /** Time limit for everything: name look-up, connection, TLS, the response and its body. */
  timeoutMs?: number;
  /** How many bytes of the response's body are kept. */
  retainBytes?: number;
  /** PEM certificates of the authorities to trust, instead of the default ones. */
  ca?: string;
}

/**
 * How long to wait for a connection before trying the next address of a host: Node's quarter of a second is too short
 * for another continent and one retransmission.
 */
export const eachAddressMs = 2_500;

const maxRetryAfterMs = 24 * 60 * 60 * 1000;

/** Sends webhooks over HTTP/1.1, to no address that the policy refuses, without proxy and redirects. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  return new HttpWebhookSender(options);
}

class HttpWebhookSender implements WebhookSender {
  readonly #policy: AddressPolicy;
  readonly #timeoutMs: number;
  readonly #retainBytes: number;
  readonly #kept: Agents;
  readonly #fresh: Agents;

  constructor({ timeoutMs = 15_000, retainBytes = 2_048, ca, ...addresses }: WebhookSenderOptions) {
    this.#policy = new AddressPolicy(addresses);
    this.#timeoutMs = timeoutMs;
    this.#retainBytes = retainBytes;
    const connecting = {
      lookup: this.#policy.lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: eachAddressMs,
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca }),
    };
    this.#kept = keepAliveAgents(connecting);
    this.#fresh = freshAgents(connecting);
  }

  async post(request: WebhookRequest): Promise<WebhookAnswer | WebhookFailure> {
    request.signal?.throwIfAborted();
    const started = performance.now();
    const ending = new AbortController();
    const abort = () => ending.abort();
    const deadline = setTimeout(() => ending.abort(new DeadlinePassed()), this.#timeoutMs);
    request.signal?.addEventListener('abort', abort);
    const exchanged = await this.#exchange(request, ending.signal).finally(() => {
      clearTimeout(deadline);
      request.signal?.removeEventListener('abort', abort);
    });
    request.signal?.throwIfAborted();
    return told(exchanged, Math.round(performance.now() - started));
  }

  close(): void {
    for (const agents of [this.#kept, this.#fresh]) {
      agents.plain.destroy();
      agents.secure.destroy();
    }
  }

  async #exchange({ url, headers, body }: WebhookRequest, signal: AbortSignal): Promise<Exchanged> {
    try {
      const target = this.#policy.target(url);
      // Node does not call the look-up for IP addresses.
      if (isIP(target.hostname) !== 0) await this.#policy.addressesOf(target.hostname);
      const input = {
        method: 'POST',
        target,
        headers: { ...headers, ...headersOf(body) },
        body,
        retainBytes: this.#retainBytes,
        signal,
      };
      const exchanged = await exchange({ ...input, agents: this.#kept });
      // The receiver closed an idle connection just as it was reused, which is not a failure. If the request did
      // arrive, the repetition arrives as a duplicate with the same id.
      if (exchanged.answered || !exchanged.wentStale || signal.aborted) return exchanged;
      return await exchange({ ...input, agents: this.#fresh });
    } catch (error) {
      if (error instanceof UnusableAddress)
        return { answered: false, error, wentStale: false, mayHaveArrived: false };
      throw error;
    }
  }
}

function headersOf(body: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'User-Agent': 'workspace-engagement-service',
    'Accept-Encoding': 'identity',
  };
}

function told(exchanged: Exchanged, durationMs: number): WebhookAnswer | WebhookFailure {
  if (!exchanged.answered) return { kind: 'failed', code: failureCodeOf(exchanged.error), durationMs };
  const { statusCode, retryAfter, body } = exchanged;
  const wait = retryAfterMs(retryAfter);
  return {
    kind: 'answered',
    statusCode,
    durationMs,
    body,
    ...(wait === undefined ? {} : { retryAfterMs: Math.min(wait, maxRetryAfterMs) }),
  };
}

/** No response until the deadline. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

const codes: Readonly<Record<string, WebhookFailureCode>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
};

/** OpenSSL's error codes, and those of certificates: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const ofTls =
  /^ERR_(SSL|TLS)_|^EPROTO$|CERT|CRL|^(INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;

/** Converts an error to a failure code. The error itself is not passed on, because it may contain the address. */
export function failureCodeOf(error: unknown): WebhookFailureCode {
  if (error instanceof DeadlinePassed) return 'timeout';
  if (error instanceof UnreadableAnswer) return 'invalid_response';
  if (error instanceof UnusableAddress) return error.problem.code;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return 'invalid_response';
  return codes[code] ?? (ofTls.test(code) ? 'tls_failed' : 'connection_failed');
}
