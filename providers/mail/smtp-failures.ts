import { faultCodeOf, ProviderFault } from '../failures.js';
import { MailBusy, MailOutcomeUnknown, MailRefused, MailUnusable } from './mail.js';

/** How far the sending of an email has come. */
export interface Progress {
  phase: 'connecting' | 'envelope' | 'body' | 'ended';
  /** Of the body, as many as the connection has read. */
  bytes: number;
  /** Whether the server is one of others, with an account of its own. */
  isOwnServer: boolean;
  /** The first error of a step, which has the server's answer. */
  answer?: unknown;
  /** What went wrong with the body, before its end. */
  bodyFailure?: Error;
}

/** The code of an email that its sender gave up before its end. */
export const givenUp = 'ABORTED';

/** The fields of nodemailer's errors. https://nodemailer.com/smtp/#error-handling */
interface SmtpFailure {
  code?: unknown;
  originalCode?: unknown;
  responseCode?: unknown;
  response?: unknown;
  /** The command that the server replied to: `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA` … */
  command?: unknown;
}

const enhanced = /^[45]\d\d[ -]([45]\.\d{1,3}\.\d{1,3})\b/;
/** The account may not send, or not as this sender, which some servers say only after the message. */
const ofAccount: ReadonlySet<string> = new Set([
  '5.4.5',
  '5.7.3',
  '5.7.8',
  '5.7.9',
  '5.7.11',
  '5.7.57',
  '5.7.60',
]);
/** Reply codes of RFC 4954: authentication is required, has failed, or requires encryption. */
const ofLogin: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** What servers say only at the recipient, or after the message, although it concerns sender, account or quota. */
const aboutAccount = [
  /\bnot verified\b/i,
  /\brelay(?:ing)?\b[^.;:]*\b(?:denied|not (?:allowed|permitted))|\bunable to relay\b/i,
  /\bauthentication (?:is )?(?:required|needed)\b|\bnot authenticated\b/i,
  /\b(?:sending|account)\b[^.;:]*\b(?:suspended|paused|disabled for sending)\b/i,
  /\b(?:sending|relay|daily|hourly)\b[^.;:]*\b(?:quota|limit)\b/i,
  /\b(?:client host|sender address|helo command) rejected\b|\bclient host \[[^\]]*\] blocked\b/i,
];
/** Of the recipient's address or mailbox (RFC 3463), whatever the text says. */
const ofRecipient = /^5\.[12]\./;
/** Addresses, whose words are not the server's. */
const quotedAddress = /<[^>]*>/g;

/** Converts an error to one of the four classes. Its own message is not passed on, because it may contain an address. */
export function failureOf(
  error: unknown,
  { phase, isOwnServer }: Pick<Progress, 'phase' | 'isOwnServer'>,
): Error {
  const fault = faultCodeOf(error);
  if (fault !== undefined) return new ProviderFault('mail', fault);
  const { code, originalCode, responseCode, response, command } = error as SmtpFailure;
  if (typeof responseCode === 'number') {
    const text = typeof response === 'string' ? response : '';
    const status = enhanced.exec(text)?.[1];
    const told =
      status !== undefined && status[0] === String(responseCode)[0] ? status : String(responseCode);
    // The server closes the connection, whatever it was asked.
    if (responseCode === 421) return new MailBusy(told);
    const isAboutSender = command === 'MAIL FROM';
    if (phase === 'connecting' || isAboutSender) {
      return responseCode < 500
        ? new MailBusy(told)
        : new MailUnusable(told, { wholeAccount: !isAboutSender || isOwnServer });
    }
    if (responseCode >= 500 && isAboutAccount(responseCode, told, text)) {
      return new MailUnusable(told, { wholeAccount: isOwnServer });
    }
    return new MailRefused(told);
  }
  const known = [originalCode, code].find((one) => typeof one === 'string' && /^[A-Z0-9_]{1,40}$/.test(one));
  const told = typeof known === 'string' ? known : isAborted(error) ? 'ETIMEDOUT' : 'unknown';
  if (phase === 'connecting' && told !== givenUp) return new MailUnusable(told);
  if (phase === 'ended') return new MailOutcomeUnknown(told);
  // An address that nodemailer refuses to send to.
  return told === 'EENVELOPE' ? new MailRefused(told) : new MailBusy(told);
}

function isAboutAccount(reply: number, told: string, text: string): boolean {
  if (ofLogin.has(reply) || ofAccount.has(told)) return true;
  if (ofRecipient.test(told)) return false;
  const words = text.replace(quotedAddress, '');
  return aboutAccount.some((pattern) => pattern.test(words));
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}
