import type { Readable } from 'node:stream';

export interface OutgoingAttachment {
  filename: string;
  mimeType: string;
  /** Called once the server wants the email's body. Fails with an error of `providers/failures.ts`. */
  open(): Promise<Readable>;
}

/** An email to one recipient. Addresses are bare, and ids are without angle brackets. */
export interface OutgoingEmail {
  envelope: { from: string; to: string };
  from: { name: string; address: string };
  replyTo: string;
  messageId: string;
  inReplyTo: string | null;
  references: readonly string[];
  date: Date;
  subject: string;
  text: string;
  html: string;
  /** Further headers by name, of one line each. */
  headers: Readonly<Record<string, string>>;
  attachments: readonly OutgoingAttachment[];
}

export interface MailServer {
  host: string;
  port: number;
  /** `starttls` fails where the server does not offer it. */
  security: 'tls' | 'starttls' | 'none';
  login?: { user: string; password: string };
}

export interface TakenEmail {
  /** The Message-ID that the server has put in place of ours, without angle brackets. */
  relayMessageId?: string;
}

/**
 * Hands emails to the service's own relay, or to another mail server. It never retries: the durable runs decide about that.
 * Error messages never quote addresses, texts or replies.
 */
export interface EmailRelay {
  /**
   * Resolves when the server has accepted the email. It was certainly not accepted with MailRefused, MailBusy or
   * MailUnusable, and may have been accepted with MailOutcomeUnknown. `code` of MailRefused is the enhanced status code
   * (RFC 3463) or the reply code, also of temporary ones that concern this recipient.
   * @param server undefined: the service's own
   * @param signal gives up an email whose end was not sent yet
   */
  send(email: OutgoingEmail, server?: MailServer, signal?: AbortSignal): Promise<TakenEmail>;
}
