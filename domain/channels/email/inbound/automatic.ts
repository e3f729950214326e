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
  const first = (name: string) => valuesOf(fields, name)[0]?.toLowerCase().trim();
  const word = (name: string) => first(name)?.split(/[\s;(]/, 1)[0];
  if (/^multipart\/report\b/.test(first('content-type') ?? '')) return 'report';
  const submitted = word('auto-submitted');
  if (submitted !== undefined && submitted !== 'no') return 'auto_submitted';
  if (autoreplyFields.some((name) => !['no', 'none', undefined].includes(word(name)))) return 'autoreply';
  if (hasEmptyReturnPath(fields)) return 'empty_return_path';
  if (bulk.has(word('precedence') ?? '')) return 'precedence';
  if (fields.some(({ name }) => name.startsWith('list-'))) return 'mailing_list';
  if (!['no', 'none', undefined].includes(word('x-auto-response-suppress'))) return 'response_suppressed';
  if (from !== null && noReplyName.test(from.slice(0, from.lastIndexOf('@')))) return 'no_reply_sender';
  return null;
}

const senderOfBounces = /^(?:mailer[._-]?daemon|postmaster)$/;

/**
 * Whether a mail to a return path says that what we sent came back, in words alone: servers need not write reports that
 * programs read. Vacation notices go to that path too.
 * @param from the address of the sender, null if it is not clear
 */
export function isReturned(fields: readonly HeaderField[], from: string | null): boolean {
  const [submitted] = valuesOf(fields, 'auto-submitted');
  if (/^\s*auto-replied\b/i.test(submitted ?? '')) return false;
  if (hasEmptyReturnPath(fields)) return true;
  return from !== null && senderOfBounces.test(from.slice(0, from.lastIndexOf('@')));
}

function hasEmptyReturnPath(fields: readonly HeaderField[]): boolean {
  return valuesOf(fields, 'return-path').some((path) => /^<\s*>$/.test(path));
}

/** Whether a person may have written a mail all the same, so that one has to look at it. */
export function isUnsure(reason: AutomaticReason): boolean {
  return unsure.has(reason);
}
