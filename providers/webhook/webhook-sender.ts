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

/** What is told of a receiver that did not answer. docs/webhooks.md says what each means. */
export const webhookFailureCodes = [
  'timeout',
  'connection_refused',
  'connection_reset',
  'unreachable',
  'dns_failed',
  'tls_failed',
  'invalid_response',
  'address_refused',
  'https_required',
  'invalid_url',
  'connection_failed',
] as const;

export type WebhookFailureCode = (typeof webhookFailureCodes)[number];

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
