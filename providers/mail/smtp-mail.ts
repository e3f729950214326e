import { createTransport } from 'nodemailer';
import { faultCodeOf, ProviderFault } from '../failures.js';
import {
  type Mail,
  MailBusy,
  MailOutcomeUnknown,
  MailRefused,
  MailUnusable,
  type OutgoingMail,
} from './mail.js';

export interface SmtpMailOptions {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  url: string;
  /** The sender: `Name <address>` or an address. */
  from: string;
  timeoutMs?: number;
}

/** The fields of nodemailer's errors. https://nodemailer.com/smtp/#error-handling */
interface SmtpFailure {
  code?: unknown;
  responseCode?: unknown;
  syscall?: unknown;
  /** The command that the server replied to: `CONN`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA` … */
  command?: unknown;
  timeoutType?: unknown;
}

const beforeTheMessage = new Set(['EDNS', 'ETLS', 'CONNECT_TIMEOUT', 'GREETING_TIMEOUT']);

/** Mail by SMTP, through the `nodemailer` package. Opens one connection per message. */
export class SmtpMail implements Mail {
  readonly #transport: ReturnType<typeof createTransport>;
  readonly #from: string;

  constructor({ url, from, timeoutMs = 10_000 }: SmtpMailOptions) {
    this.#transport = createTransport(
      {
        url,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        // Longer than the other timeouts, so that the error shows whether the message may already have been sent.
        socketTimeout: 2 * timeoutMs,
        // Content is text only: nothing in it may be treated as a path or a URL to fetch.
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from, headers: { 'Auto-Submitted': 'auto-generated' } },
    );
    this.#from = from;
  }

  async send({ to, subject, text }: OutgoingMail): Promise<void> {
    try {
      await this.#transport.sendMail({ from: this.#from, to, subject, text });
    } catch (error) {
      throw told(error as SmtpFailure);
    }
  }
}

/** Up to the recipient, a refusal concerns the account and not the message. */
const aboutOurAccount = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL FROM)/;

function told(error: SmtpFailure): Error {
  const fault = faultCodeOf(error);
  if (fault !== undefined) return new ProviderFault('mail', fault);
  const { code, responseCode, command, syscall, timeoutType } = error;
  const ofAccount = code === 'EAUTH' || code === 'ENOAUTH' || aboutOurAccount.test(String(command));
  if (typeof responseCode === 'number') {
    const reply = String(responseCode);
    if (responseCode < 500) return new MailBusy(reply);
    return ofAccount ? new MailUnusable(reply) : new MailRefused(reply);
  }
  if (code === 'EAUTH' || code === 'ENOAUTH') return new MailUnusable(code);
  const known = typeof code === 'string' && /^[A-Z0-9_]{1,32}$/.test(code) ? code : 'unknown';
  if (known === 'EENVELOPE') return new MailRefused(known);
  const early =
    syscall === 'connect' || [known, timeoutType].some((one) => beforeTheMessage.has(String(one)));
  return early ? new MailBusy(known) : new MailOutcomeUnknown(known);
}
