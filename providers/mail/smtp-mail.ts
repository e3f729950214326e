import { createTransport } from 'nodemailer';
import {
  type Mail,
  MailBusy,
  MailOutcomeUnknown,
  MailRefused,
  MailUnusable,
  type OutgoingMail,
} from './mail.js';

export interface SmtpMailOptions {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  url: string;
  /** Who the mail is from: `Name <address>` or an address. */
  from: string;
  /** How long the server may take to answer. */
  timeoutMs?: number;
}

/** What the package tells of a failure. https://nodemailer.com/smtp/#error-handling */
interface SmtpFailure {
  code?: unknown;
  /** The server's reply code. */
  responseCode?: unknown;
  /** The system call that failed. */
  syscall?: unknown;
  /** The command that was answered: `CONN`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA` … */
  command?: unknown;
  /** What took too long, up to the server's greeting. */
  timeoutType?: unknown;
}

/** Failures to get as far as the message. */
const beforeTheMessage = new Set(['EDNS', 'ETLS', 'CONNECT_TIMEOUT', 'GREETING_TIMEOUT']);

/** Mail by SMTP, through the `nodemailer` package: one connection for each message. */
export class SmtpMail implements Mail {
  readonly #transport: ReturnType<typeof createTransport>;
  readonly #from: string;

  constructor({ url, from, timeoutMs = 10_000 }: SmtpMailOptions) {
    this.#transport = createTransport(
      {
        url,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        // Longer: which of them was too long tells whether the message may be gone.
        socketTimeout: 2 * timeoutMs,
        // A text is a text: nothing in it is a path or an address to fetch.
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

/** Up to the recipient, what the server refuses is us and not the message. */
const aboutOurAccount = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL FROM)/;

function told({ code, responseCode, command, syscall, timeoutType }: SmtpFailure): Error {
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
