import { type HeaderField, valuesOf } from './headers.js';

/** Why nobody is expected to read an answer to a mail. */
export type AutomaticReason =
  | 'auto_submitted'
  | 'precedence'
  | 'autoreply'
  | 'mailing_list'
  | 'response_suppressed'
  | 'no_reply_sender'
  | 'empty_return_path'
  | 'report';

const bulk = new Set(['bulk', 'junk', 'list', 'auto_reply', 'auto-reply']);
const autoreplyFields = ['x-autoreply', 'x-autorespond', 'x-autoresponder'];
/** A person may have written these, through a list or a service that adds such fields. */
const unsure: ReadonlySet<AutomaticReason> = new Set([
  'precedence',
  'mailing_list',
  'response_suppressed',
  'no_reply_sender',
]);
const noReplyName =
  /^(?:no[._-]?reply|do[._-]?not[._-]?reply|mailer[._-]?daemon|postmaster|bounces?)(?:$|[+._=-])/;

/**
 * Whether a mail was sent by a program (RFC 3834, and what programs write instead), which must get no automatic answer.
 * @param from the address of the sender, null if it is not clear
 */
export function automaticReason(fields: readonly HeaderField[], from: string | null): AutomaticReason | null {
  const word = (name: string) => firstWord(fields, name);
  if (/^multipart\/report\b/.test(word('content-type') ?? '')) return 'report';
  const submitted = word('auto-submitted');
  if (submitted !== undefined && submitted !== 'no') return 'auto_submitted';
  if (autoreplyFields.some((name) => saysYes(word(name)))) return 'autoreply';
  if (hasEmptyReturnPath(fields)) return 'empty_return_path';
  if (bulk.has(word('precedence') ?? '')) return 'precedence';
  if (fields.some(({ name }) => name.startsWith('list-'))) return 'mailing_list';
  if (saysYes(word('x-auto-response-suppress'))) return 'response_suppressed';
  if (from !== null && noReplyName.test(from.slice(0, from.lastIndexOf('@')))) return 'no_reply_sender';
  return null;
}

const senderOfBounces = /^(?:mailer[._-]?daemon|postmaster)$/;
const autoreplyPrecedence = new Set(['auto_reply', 'auto-reply']);

/**
 * Whether a mail to a return path says that what we sent came back, in words alone: servers need not write reports that
 * programs read. Vacation notices go to that path too (RFC 3834); they come from the recipient itself, or have a sign of an
 * answer. A bounce may have such a sign as well, so that its sender is looked at first.
 * @param from the address of the sender, null if it is not clear
 * @param recipient the address that the mail was sent to
 */
export function isReturned(fields: readonly HeaderField[], from: string | null, recipient: string): boolean {
  if (from === recipient) return false;
  if (from !== null && senderOfBounces.test(from.slice(0, from.lastIndexOf('@')))) return true;
  if (valuesOf(fields, 'x-failed-recipients').length > 0) return true;
  return hasEmptyReturnPath(fields) && !isAutoreply(fields);
}

function isAutoreply(fields: readonly HeaderField[]): boolean {
  const word = (name: string) => firstWord(fields, name);
  if (word('auto-submitted') === 'auto-replied') return true;
  if ([...autoreplyFields, 'x-auto-response-suppress'].some((name) => saysYes(word(name)))) return true;
  return autoreplyPrecedence.has(word('precedence') ?? '');
}

function firstWord(fields: readonly HeaderField[], name: string): string | undefined {
  return valuesOf(fields, name)[0]
    ?.toLowerCase()
    .trim()
    .split(/[\s;(]/, 1)[0];
}

function saysYes(word: string | undefined): boolean {
  return !['no', 'none', undefined].includes(word);
}

function hasEmptyReturnPath(fields: readonly HeaderField[]): boolean {
  return valuesOf(fields, 'return-path').some((path) => /^<\s*>$/.test(path));
}

/** Whether a person may have written a mail all the same, so that one has to look at it. */
export function isUnsure(reason: AutomaticReason): boolean {
  return unsure.has(reason);
}
