/** One request to a receiver, signed and complete. */
export interface WebhookRequest {
  url: string;
  /** Those of the delivery; the sender adds the ones that HTTP needs. */
  headers: Readonly<Record<string, string>>;
  /** JSON, sent as these bytes. */
  body: string;
  /** Aborting it rejects the call with the signal's reason. */
  signal?: AbortSignal;
}

/** The receiver answered, with whatever status. */
export interface WebhookAnswer {
  kind: 'answered';
  statusCode: number;
  durationMs: number;
  /** How the answer's body begins, as text without NUL; empty where it is encoded (gzip). */
  body: string;
  /** How long the receiver asked to wait, at most a day. */
  retryAfterMs?: number;
}

export type WebhookFailureCode =
  /** No answer until the deadline. */
  | 'timeout'
  | 'connection_refused'
  /** It ended before an answer came. */
  | 'connection_reset'
  /** No way to the address. */
  | 'unreachable'
  | 'connection_failed'
  | 'dns_failed'
  /** No certificate that is valid for the name, or no TLS at all. */
  | 'tls_failed'
  /** What came back is no answer in HTTP, or has no end. */
  | 'invalid_response'
  | 'address_refused'
  | 'https_required'
  | 'invalid_url';

/** No answer came. The code is all that is told: a receiver's address may hold a token. */
export interface WebhookFailure {
  kind: 'failed';
  code: WebhookFailureCode;
  durationMs: number;
}

/** Posts to receivers, whom nobody vouches for: where they are and what they answer is theirs to choose. */
export interface WebhookSender {
  /**
   * Posts once. Whatever the receiver does is a result, reached within the deadline and with bounded memory.
   *
   * @throws the signal's reason, once that is aborted
   */
  post(request: WebhookRequest): Promise<WebhookAnswer | WebhookFailure>;

  /** Ends all connections. */
  close(): void;
}
