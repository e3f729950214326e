import { createTransport } from 'nodemailer';
import { type Mail, MailBusy, MailOutcomeUnknown, MailRefused, type OutgoingMail } from './mail.js';

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
  /** What took too long, up to the server's greeting. */
  timeoutType?: unknown;
}

/** Failures to get as far as the message. */
const beforeTheMessage = new Set(['EDNS', 'EAUTH', 'ETLS', 'CONNECT_TIMEOUT', 'GREETING_TIMEOUT']);

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

function told({ code, responseCode, syscall, timeoutType }: SmtpFailure): Error {
  if (typeof responseCode === 'number') {
    const reply = String(responseCode);
    return responseCode >= 500 ? new MailRefused(reply) : new MailBusy(reply);
  }
  const known = typeof code === 'string' && /^[A-Z0-9_]{1,32}$/.test(code) ? code : 'unknown';
  if (known === 'EENVELOPE') return new MailRefused(known);
  const early =
    syscall === 'connect' || [known, timeoutType].some((one) => beforeTheMessage.has(String(one)));
  return early ? new MailBusy(known) : new MailOutcomeUnknown(known);
}
