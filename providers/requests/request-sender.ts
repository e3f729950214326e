import type { WebhookFailureCode } from '../webhook/webhook-sender.js';

/** A request to a web service of a workspace, which is untrusted as receivers of webhooks are. */
export interface ServiceRequest {
  method: string;
  /** Begins with https://. */
  url: string;
  /** The sender adds those that HTTP needs. */
  headers: Readonly<Record<string, string>>;
  /** JSON; undefined: no body. */
  body: string | undefined;
  /** Time limit for everything: name look-up, connection, TLS, the response and its body. */
  timeoutMs: number;
  /** How many bytes of the response's body are kept, at most 64 KB. */
  retainBytes: number;
  signal?: AbortSignal;
}

/** Any behaviour of the service is an outcome. */
export type RequestOutcome =
  | {
      kind: 'answered';
      status: number;
      contentType: string | undefined;
      body: string;
      /** Whether the body came to its end. */
      isComplete: boolean;
      /** Whether the body is encoded (gzip), so that it is empty here. */
      isEncoded: boolean;
    }
  /** `mayHaveArrived`: the connection stood, so that the service may have processed the request. */
  | { kind: 'failed'; code: WebhookFailureCode; mayHaveArrived: boolean };

export interface RequestSender {
  /** Sends once, within the time limit and with bounded memory. */
  send(request: ServiceRequest): Promise<RequestOutcome>;

  close(): void;
}
