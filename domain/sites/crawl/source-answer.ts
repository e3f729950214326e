/** What a site that is crawled has answered. */
export type SourceAnswer =
  | {
      kind: 'answered';
      status: number;
      /** Lower case, without parameters; empty: none was given. */
      contentType: string;
      /** The encoding of characters that the header names. */
      charset: string | undefined;
      /** Of a redirect, as it is written. */
      location: string | undefined;
      etag: string | undefined;
      lastModified: string | undefined;
      retryAfterMs: number | undefined;
      /** Decompressed; empty unless the status is 200. */
      bytes: Uint8Array;
    }
  /** `address_refused`, `dns_failed`, `https_required`, `too_large`, `unreadable`, `timed_out`, `connection`. */
  | { kind: 'failed'; code: string };

export interface SourceRequest {
  url: string;
  /** What an earlier answer had, so that only another one is sent. */
  etag?: string;
  lastModified?: string;
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal;
}

/** Asks sites that are crawled, at addresses that the service may connect to only. Redirects are answers. */
export interface SourceSite {
  fetch(request: SourceRequest): Promise<SourceAnswer>;
}
