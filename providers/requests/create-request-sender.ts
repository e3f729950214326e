import { isIP } from 'node:net';
import { AddressPolicy } from '../webhook/address-policy.js';
import {
  DeadlinePassed,
  eachAddressMs,
  failureCodeOf,
  type WebhookSenderOptions,
} from '../webhook/create-webhook-sender.js';
import { type Exchanged, exchange } from '../webhook/exchange.js';
import { freshAgents } from '../webhook/keep-alive-agents.js';
import { UnusableAddress } from '../webhook/webhook-url.js';
import type { RequestOutcome, RequestSender, ServiceRequest } from './request-sender.js';

/**
 * Sends requests of agents over HTTP/1.1, to no address that the policy refuses, without proxy and redirects, each on a
 * connection of its own: a request on a connection that has gone stale would have to be repeated.
 */
export function createRequestSender(
  options: Pick<WebhookSenderOptions, 'allowedNetworks' | 'resolve' | 'ca'>,
): RequestSender {
  return new HttpRequestSender(options);
}

class HttpRequestSender implements RequestSender {
  readonly #policy: AddressPolicy;
  readonly #agents: ReturnType<typeof freshAgents>;

  constructor({ ca, ...addresses }: Pick<WebhookSenderOptions, 'allowedNetworks' | 'resolve' | 'ca'>) {
    this.#policy = new AddressPolicy({ ...addresses, requireHttps: true });
    this.#agents = freshAgents({
      lookup: this.#policy.lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: eachAddressMs,
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca }),
    });
  }

  async send(request: ServiceRequest): Promise<RequestOutcome> {
    request.signal?.throwIfAborted();
    const ending = new AbortController();
    const abort = () => ending.abort();
    const deadline = setTimeout(() => ending.abort(new DeadlinePassed()), request.timeoutMs);
    request.signal?.addEventListener('abort', abort);
    const exchanged = await this.#exchange(request, ending.signal).finally(() => {
      clearTimeout(deadline);
      request.signal?.removeEventListener('abort', abort);
    });
    if (!exchanged.answered) {
      const { error, mayHaveArrived } = exchanged;
      return { kind: 'failed', code: failureCodeOf(error), mayHaveArrived };
    }
    const { statusCode, contentType, body, isComplete, isEncoded } = exchanged;
    return { kind: 'answered', status: statusCode, contentType, body, isComplete, isEncoded };
  }

  close(): void {
    this.#agents.plain.destroy();
    this.#agents.secure.destroy();
  }

  async #exchange(
    { method, url, headers, body, retainBytes }: ServiceRequest,
    signal: AbortSignal,
  ): Promise<Exchanged> {
    try {
      const target = this.#policy.target(url);
      // Node does not call the look-up for IP addresses.
      if (isIP(target.hostname) !== 0) await this.#policy.addressesOf(target.hostname);
      const sent = { ...headers, ...headersOf(body) };
      return await exchange({
        method,
        target,
        headers: sent,
        body,
        retainBytes,
        signal,
        agents: this.#agents,
      });
    } catch (error) {
      if (!(error instanceof UnusableAddress)) throw error;
      return { answered: false, error, wentStale: false, mayHaveArrived: false };
    }
  }
}

function headersOf(body: string | undefined): Record<string, string> {
  return {
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
    'User-Agent': 'workspace-engagement-service',
    'Accept-Encoding': 'identity',
  };
}
