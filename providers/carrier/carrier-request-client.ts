import https from 'node:https';
import twilio from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import { type ConnectionAgents, type ConnectionOptions, connectionAgents } from '../connection-agents.js';
import { faultCodeOf, type ProviderFailure, ProviderFault } from '../failures.js';
import { retryAfterMs } from '../retry-after.js';
import { CarrierBusy, CarrierOutcomeUnknown, CarrierRefused, CarrierUnusable } from './carrier.js';

export interface CarrierRequestOptions {
  /** Replaces the carrier's own address, for example by a simulator's. */
  apiBaseUrl?: string | undefined;
  timeoutMs: number;
  connectTimeoutMs: number;
}

/**
 * Connections at once: as many as the package opens in total. It opens twenty to one host, fewer than the worker has slots for
 * messages, so that a call would wait for slow messages.
 */
const maxAtOnce = 100;

/** The client of the package. This module is imported with the first request: not every process makes one, and the package is large. */
export function createClient({
  accountSid,
  authToken,
  ...request
}: Partial<CarrierRequestOptions> & { accountSid: string; authToken: string }): twilio.Twilio {
  const httpClient = new CarrierRequestClient({ timeoutMs: 15_000, connectTimeoutMs: 5_000, ...request });
  return twilio(accountSid, authToken, { httpClient });
}

type CarrierResponse<T> = Awaited<ReturnType<RequestClient['request']>> & { body: T };

/**
 * The package's HTTP client with another base address, and failures classified where headers and connection are known.
 * Keep-alive is off: a request on an idle connection that the carrier is just closing fails with an unknown outcome,
 * and such a message could never be sent again.
 */
export class CarrierRequestClient extends twilio.RequestClient {
  readonly #baseUrl: string | undefined;
  readonly #agents: ConnectionAgents;

  constructor(options: CarrierRequestOptions) {
    super({ timeout: options.timeoutMs, keepAlive: false, autoRetry: false, maxSockets: maxAtOnce });
    this.#baseUrl = options.apiBaseUrl?.replace(/\/+$/, '');
    const own: unknown = this.axios.defaults.httpsAgent;
    this.#agents = connectionAgents(
      options.connectTimeoutMs,
      own instanceof https.Agent ? limitsOf(own) : {},
    );
    this.axios.defaults.httpAgent = this.#agents.http;
    // With HTTP_PROXY set, the package uses a proxy agent, which stays.
    if (own instanceof https.Agent) this.axios.defaults.httpsAgent = this.#agents.https;
  }

  override async request<T>(options: RequestClient.RequestOptions<T>): Promise<CarrierResponse<T>> {
    const response = await super
      .request<T>({ ...options, uri: this.#address(options.uri) })
      .catch((error: unknown) => {
        throw this.#connectionFailure(error, options.method);
      });
    if (response.statusCode >= 300) throw answeredFailure(response, options.method);
    return response as CarrierResponse<T>;
  }

  #address(uri: string): string {
    if (this.#baseUrl === undefined) return uri;
    const { pathname, search } = new URL(uri);
    return `${this.#baseUrl}${pathname}${search}`;
  }

  /** The error is not kept as a cause, because it contains the request and with it the text and the phone numbers. */
  #connectionFailure(error: unknown, method: string): ProviderFailure {
    const fault = faultCodeOf(error);
    if (fault !== undefined) return new ProviderFault('carrier', fault);
    const reason = codeOf(error);
    return this.#agents.neverConnected(error) || changesNothing(method)
      ? new CarrierBusy(reason)
      : new CarrierOutcomeUnknown(reason);
  }
}

/** The package's limits on connections, and the certificates that its environment names. */
function limitsOf({ options: { timeout, maxSockets, maxTotalSockets, ca } }: https.Agent): ConnectionOptions {
  return { timeout, maxSockets, maxTotalSockets, ca };
}

/**
 * Codes about the account, not the message or call: not active, inactive for calls, authentication, inactive, denied,
 * suspended, inactive, daily limit.
 */
const accountCodes: ReadonlySet<string> = new Set([
  '10001',
  '10003',
  '20003',
  '20005',
  '20006',
  '30002',
  '90010',
  '63038',
]);
/** The account has as many calls as it may have at a time. */
const allLinesBusy = '10004';

/**
 * 429, and 503 with the carrier's own code, mean that the request was not processed. A 503 without a code may come
 * from a gateway that had passed the request on: as after other 5xx and 408, the message may have been accepted.
 */
function answeredFailure(
  response: { statusCode: number; body: unknown; headers: unknown },
  method: string,
): CarrierBusy | CarrierOutcomeUnknown | CarrierRefused | CarrierUnusable {
  const status = response.statusCode;
  const code = errorCodeOf(response.body);
  const reason = `http_${status}`;
  if (status === 401 || status === 403 || (code !== undefined && accountCodes.has(code))) {
    return new CarrierUnusable(code ?? reason);
  }
  if (code === allLinesBusy)
    return new CarrierBusy(code, retryAfterMs(headerOf(response.headers, 'retry-after')));
  const refusedUnread = status === 429 || (status === 503 && code !== undefined);
  if (refusedUnread || (changesNothing(method) && (status === 408 || status === 503))) {
    return new CarrierBusy(reason, retryAfterMs(headerOf(response.headers, 'retry-after')));
  }
  if (status >= 500 || status === 408) {
    return changesNothing(method) ? new CarrierBusy(reason) : new CarrierOutcomeUnknown(reason);
  }
  return new CarrierRefused(code ?? reason, status);
}

function changesNothing(method: string): boolean {
  return method.toLowerCase() === 'get';
}

/** The package's client reports timeouts as `ECONNABORTED`. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'connection';
  return code === 'ECONNABORTED' ? 'timeout' : code;
}

function headerOf(headers: unknown, name: string): unknown {
  return typeof headers === 'object' && headers !== null ? Reflect.get(headers, name) : undefined;
}

function errorCodeOf(body: unknown): string | undefined {
  const parsed = typeof body === 'string' ? parseJson(body) : body;
  if (typeof parsed !== 'object' || parsed === null || !('code' in parsed)) return undefined;
  // The carrier's codes are numbers. Anything else is not a code, and may quote the message.
  return /^\d{1,9}$/.test(String(parsed.code)) ? String(parsed.code) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
