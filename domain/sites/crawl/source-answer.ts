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
