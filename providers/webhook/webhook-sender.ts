export interface WebhookRequest {
  url: string;
  /** The headers of the delivery; the sender adds those that HTTP needs. */
  headers: Readonly<Record<string, string>>;
  /** JSON, sent byte for byte. */
  body: string;
  /** Aborting it rejects the call with the signal's reason. */
  signal?: AbortSignal;
}

/** The receiver answered, with any status. */
export interface WebhookAnswer {
  kind: 'answered';
  statusCode: number;
  durationMs: number;
  /** The beginning of the response's body, as text without NUL; empty if it is encoded (gzip). */
  body: string;
  /** How long the receiver asked to wait, at most a day. */
  retryAfterMs?: number;
}

/** The failure codes for a receiver that did not answer. docs/webhooks.md explains each. */
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

/** No response. Only the code is reported, because a receiver's address may contain a token. */
export interface WebhookFailure {
  kind: 'failed';
  code: WebhookFailureCode;
  durationMs: number;
}

/** Posts to receivers, which are untrusted: they choose their addresses and their responses. */
export interface WebhookSender {
  /**
   * Posts once. Any behaviour of the receiver is a result, reached within the deadline and with bounded memory.
   * @throws the signal's reason, once it is aborted
   */
  post(request: WebhookRequest): Promise<WebhookAnswer | WebhookFailure>;

  close(): void;
}
