import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { parseUrl } from '../../domain/lib/parse-url.js';
import { retryAfterMs } from '../retry-after.js';
import { AddressPolicy, type AddressPolicyOptions } from '../webhook/address-policy.js';
import { UnusableAddress } from '../webhook/webhook-url.js';
import { CarrierBusy, CarrierRefused, CarrierUnusable, type FetchedMedia, MediaMissing } from './carrier.js';

export interface MediaRequest {
  /** At the carrier's API, which the credentials are for. */
  url: string;
  /** Of basic authentication. */
  credentials: string;
  signal: AbortSignal;
}

const maxRedirects = 3;
const maxHeadersLength = 16 * 1024;
/** Without a byte for so long, a connection is given up. */
const idleMs = 15_000;

/**
 * Fetches media from the carrier. Its API redirects to a store with a host of its own, which gets no credentials and has to be a
 * public address: the carrier's answer must not lead the service into its own network. Only the host of the configured API may
 * be another, because the operator chose it.
 */
export class MediaFetcher {
  readonly #policy: AddressPolicy;
  readonly #ownHost: string | undefined;

  /** @param apiBaseUrl what replaces the carrier's own address, such as a simulator's */
  constructor(apiBaseUrl: string | undefined, options: Partial<AddressPolicyOptions> = {}) {
    this.#policy = new AddressPolicy({ requireHttps: true, allowedNetworks: [], ...options });
    this.#ownHost = apiBaseUrl === undefined ? undefined : parseUrl(apiBaseUrl)?.hostname;
  }

  /** @throws MediaMissing, CarrierBusy, CarrierRefused, CarrierUnusable */
  async fetch({ url, credentials, signal }: MediaRequest): Promise<FetchedMedia> {
    let at = url;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const atApi = redirects === 0;
      const response = await this.#get(at, signal, atApi ? credentials : undefined);
      const { statusCode = 0, headers } = response;
      if (statusCode === 200)
        return { mimeType: mimeTypeOf(headers['content-type']), bytes: bytesOf(response) };
      response.destroy();
      const next = statusCode >= 300 && statusCode < 400 ? parseLocation(headers.location, at) : undefined;
      if (next === undefined) throw failureOf(statusCode, headers['retry-after'], atApi);
      at = next.href;
    }
    throw new CarrierRefused('too_many_redirects', 310);
  }

  async #get(url: string, signal: AbortSignal, credentials: string | undefined): Promise<IncomingMessage> {
    const isOwn = parseUrl(url)?.hostname === this.#ownHost;
    try {
      const lookup = isOwn ? {} : await this.#checked(url);
      return await send(url, { lookup, signal, credentials });
    } catch (error) {
      if (error instanceof UnusableAddress && error.problem.code !== 'dns_failed') {
        throw new CarrierRefused(error.problem.code, 0);
      }
      // The error is not kept as a cause, because it contains the address, which opens the media.
      throw new CarrierBusy(codeOf(error));
    }
  }

  async #checked(url: string): Promise<Pick<https.RequestOptions, 'lookup'>> {
    const { hostname } = this.#policy.target(url);
    // Node does not call the look-up for IP addresses.
    if (isIP(hostname) !== 0) await this.#policy.addressesOf(hostname);
    return { lookup: this.#policy.lookup };
  }
}

function parseLocation(location: string | undefined, at: string): URL | undefined {
  if (location === undefined || location === '') return undefined;
  try {
    return new URL(location, at);
  } catch {
    return undefined;
  }
}

function send(
  url: string,
  {
    lookup,
    signal,
    credentials,
  }: { lookup: Pick<https.RequestOptions, 'lookup'>; signal: AbortSignal; credentials: string | undefined },
): Promise<IncomingMessage> {
  const headers = {
    'Accept-Encoding': 'identity',
    'User-Agent': 'workspace-engagement-service',
    ...(credentials === undefined ? {} : { Authorization: `Basic ${credentials}` }),
  };
  const options = {
    ...lookup,
    headers,
    signal,
    agent: false,
    maxHeaderSize: maxHeadersLength,
    timeout: idleMs,
  } as const;
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? https.get(url, options) : http.get(url, options);
    request.on('timeout', () => request.destroy(new IdleTooLong()));
    request.on('response', resolve).on('error', reject);
  });
}

/** The bytes of an answer; a connection that breaks is a failure of the carrier. */
async function* bytesOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk as Uint8Array;
    if (!response.complete) throw new CarrierBusy('incomplete');
  } catch (error) {
    throw error instanceof CarrierBusy ? error : new CarrierBusy(codeOf(error));
  } finally {
    response.destroy();
  }
}

class IdleTooLong extends Error {
  readonly code = 'timeout';
}

/**
 * Of the store, which gets no credentials, 401, 403 and 410 mean that the address, which is valid for a while, leads
 * nowhere: it is asked for anew, and says nothing about the account.
 */
function failureOf(status: number, retryAfter: string | undefined, atApi: boolean): Error {
  const isRefused = status === 401 || status === 403;
  if (status === 404 || status === 410 || (isRefused && !atApi)) return new MediaMissing();
  if (isRefused) return new CarrierUnusable(`http_${status}`);
  if (status === 408 || status === 429 || status >= 500) {
    return new CarrierBusy(`http_${status}`, retryAfterMs(retryAfter));
  }
  return new CarrierRefused(`http_${status}`, status);
}

const mimeForm = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,60}$/;

function mimeTypeOf(header: string | undefined): string {
  const type = (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return mimeForm.test(type) ? type : 'application/octet-stream';
}

function codeOf(error: unknown): string {
  if (error instanceof UnusableAddress) return error.problem.code;
  return error instanceof Error && 'code' in error ? String(error.code) : 'connection';
}
