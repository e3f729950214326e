import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AnswerTooLarge, publicFetch } from '../public-fetch/public-fetch.js';
import { retryAfterMs } from '../retry-after.js';
import type { AddressPolicy } from '../webhook/address-policy.js';
import { UnusableAddress } from '../webhook/webhook-url.js';

const unzip = promisify(gunzip);

export interface SourceRequest {
  url: string;
  /** What an earlier answer had, so that only another one is sent. */
  etag?: string;
  lastModified?: string;
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal;
}

export type SourceAnswer =
  | {
      kind: 'answered';
      status: number;
      contentType: string;
      charset: string | undefined;
      location: string | undefined;
      etag: string | undefined;
      lastModified: string | undefined;
      retryAfterMs: number | undefined;
      bytes: Uint8Array;
    }
  | { kind: 'failed'; code: string };

/** Asks sites that are crawled, at addresses that the service may connect to only. Redirects are answers. */
export interface SourceSite {
  fetch(request: SourceRequest): Promise<SourceAnswer>;
}

const maxHeaderLength = 500;

/**
 * Asks sites for their pages, with the name by which they address the service in robots.txt. Each request connects anew, to an
 * address that the policy allows; redirects are not followed, and an answer has a bound of bytes and time.
 */
export class SourceSites implements SourceSite {
  constructor(private readonly policy: AddressPolicy) {}

  /** Fails by a code, never by an error that quotes an address. */
  async fetch({
    url,
    etag,
    lastModified,
    maxBytes,
    timeoutMs,
    signal,
  }: SourceRequest): Promise<SourceAnswer> {
    const fetchOne = publicFetch({ policy: this.policy, timeoutMs, maxBytes });
    try {
      const response = await fetchOne(url, {
        headers: {
          'user-agent': 'workspace-engagement-service (crawler)',
          accept: 'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.1',
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
          ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
        },
        ...(signal === undefined ? {} : { signal }),
      });
      return await answerOf(response, maxBytes);
    } catch (error) {
      signal?.throwIfAborted();
      return { kind: 'failed', code: codeOf(error) };
    }
  }
}

async function answerOf(response: Response, maxBytes: number): Promise<SourceAnswer> {
  const { status, headers } = response;
  const [contentType = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const charset = parameters.map((part) => /^\s*charset\s*=\s*"?([\w-]{2,40})/.exec(part)?.[1]).find(Boolean);
  const body = status === 200 ? new Uint8Array(await response.arrayBuffer()) : new Uint8Array();
  const bytes = await plainOf(body, headers.get('content-encoding'), maxBytes);
  if (bytes === undefined) return { kind: 'failed', code: 'unreadable' };
  return {
    kind: 'answered',
    status,
    contentType: contentType.trim(),
    charset,
    location: headers.get('location') ?? undefined,
    etag: shortHeader(headers.get('etag')),
    lastModified: shortHeader(headers.get('last-modified')),
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
    bytes,
  };
}

/** Some servers compress although nobody asks for it, and sitemaps may be compressed files. */
async function plainOf(
  body: Uint8Array,
  encoding: string | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (body[0] === 0x1f && body[1] === 0x8b) return unzip(body, { maxOutputLength: maxBytes });
  const named = encoding?.trim().toLowerCase() ?? '';
  return named === '' || named === 'identity' ? body : undefined;
}

/** What is sent back with the next request. */
function shortHeader(value: string | null): string | undefined {
  return value === null || value.length > maxHeaderLength || !/^[\x20-\x7e]+$/.test(value)
    ? undefined
    : value;
}

function codeOf(error: unknown): string {
  if (error instanceof UnusableAddress) return error.problem.code;
  if (error instanceof AnswerTooLarge) return 'too_large';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'too_large';
  if (code.startsWith('Z_') || code.startsWith('HPE_')) return 'unreadable';
  if (error instanceof Error && (error.name === 'TimeoutError' || code === 'ABORT_ERR')) return 'timed_out';
  return 'connection';
}
