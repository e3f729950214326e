import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { AddressPolicy } from '../webhook/address-policy.js';

export interface PublicFetchOptions {
  policy: AddressPolicy;
  /** After which an answer that is not whole is given up, in milliseconds. */
  timeoutMs: number;
  /** The most bytes of an answer. */
  maxBytes: number;
}

/** An answer was larger than allowed. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/**
 * `fetch` for addresses that others have named: it connects only to addresses that the policy allows, follows no redirects,
 * and bounds time and bytes. Of the request it takes method, headers, a text or form as body, and the signal.
 * @throws UnusableAddress, AnswerTooLarge, and the errors of `node:http`
 */
export function publicFetch({ policy, timeoutMs, maxBytes }: PublicFetchOptions): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const { secure, hostname, port, path } = policy.target(url.href);
    // A look-up is not asked for a literal address, so that is checked here.
    if (isIP(hostname) !== 0) await policy.addressesOf(hostname);
    const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])];
    const body = init.body == null ? undefined : Buffer.from(bodyText(init.body));
    const headers: Record<string, string> = { 'accept-encoding': 'identity' };
    new Headers(init.headers).forEach((value, name) => {
      if (value !== '') headers[name] = value;
    });
    if (body !== undefined) headers['content-length'] = String(body.length);
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request({
        method: init.method ?? 'GET',
        host: hostname,
        port,
        path,
        headers,
        lookup: policy.lookup,
        signal: AbortSignal.any(signals),
        agent: false,
        maxHeaderSize: 16_384,
      });
      request.on('error', reject);
      request.on('response', (answer) => {
        read(answer, maxBytes).then((bytes) => resolve(responseOf(answer, bytes)), reject);
      });
      request.end(body);
    });
  };
}

function bodyText(body: NonNullable<RequestInit['body']>): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new TypeError('Only texts and forms can be sent.');
}

async function read(answer: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      answer.destroy();
      throw new AnswerTooLarge();
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const withoutBody = new Set([101, 204, 205, 304]);

function responseOf(answer: http.IncomingMessage, bytes: Buffer): Response {
  const status = answer.statusCode ?? 502;
  const headers = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    headers.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '');
  }
  return new Response(withoutBody.has(status) ? null : new Uint8Array(bytes), { status, headers });
}
