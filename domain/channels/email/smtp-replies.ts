import type { SendError } from '../deliveries/channel.js';

const minute = 60_000;
/** Servers that know no sender yet refuse the first attempt for minutes, or for an hour. */
const untilExpiry = [5, 15, 30, 60, 120, 240, 240, 240, 240, 240].map((count) => count * minute);

/** Enhanced status codes (RFC 3463) of servers' replies and of reports, without their class. */
const subjects: ReadonlyMap<string, string> = new Map([
  ['1.1', 'unknown_address'],
  ['1.2', 'unknown_address'],
  ['1.3', 'unknown_address'],
  ['1.6', 'unknown_address'],
  ['1.10', 'unknown_address'],
  ['2.1', 'mailbox_disabled'],
  ['2.2', 'mailbox_full'],
  ['2.3', 'email_too_large'],
  ['3.4', 'email_too_large'],
]);
/** The mailbox does not exist: writing to it again and again is what senders of unwanted mail do. */
const bounces: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.6', '5.1.10']);

const enhanced = /^([45])\.(\d{1,3}\.\d{1,3})$/;

/**
 * The meaning of an enhanced status code, or of the reply code (550) of a server that gives none. What is temporary (4…) is
 * tried again until the email expires; all else is final.
 */
export function explainEmailError(code: string): SendError {
  const [, kind = code[0], subject = ''] = enhanced.exec(code) ?? [];
  const reason = subjects.get(subject);
  if (kind === '4') return { reason: reason ?? 'email_deferred', optsOut: false, retryDelaysMs: untilExpiry };
  return { reason: reason ?? 'email_refused', optsOut: bounces.has(code), retryDelaysMs: [] };
}
