import type { MessageContent } from '../../db/conversations/messages.js';

export function messageText(content: MessageContent | null): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content
    .map((part) => part.text ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

/** The carrier's maximum length of one message, in UTF-16 code units, of which an emoji has two or more. */
const smsLimit = 1_600;
/** Maximum number of SMS for one text that a person sends. */
export const maxSmsParts = 10;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Splits a text for SMS, preferably at paragraphs, sentences or words, and never inside a character that people see. */
function splitForSms(text: string): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > smsLimit) {
    const head = rest.slice(0, smsLimit);
    const at = Math.max(head.lastIndexOf('\n'), head.lastIndexOf('. ') + 1, smsLimit / 2);
    const space = head.lastIndexOf(' ');
    const cut = betweenCharacters(rest, at > smsLimit / 2 ? at : space > smsLimit / 4 ? space : smsLimit);
    parts.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  if (rest !== '') parts.push(rest);
  return parts;
}

/** Returns the last place up to `at` between two graphemes; in a grapheme longer than an SMS, between two code points. */
function betweenCharacters(text: string, at: number): number {
  const { index = at } = graphemes.segment(text).containing(at) ?? {};
  if (index > 0) return index;
  const isInPair = /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at));
  return isInPair ? at - 1 : at;
}

/** Splits a text into the messages that a channel needs; none for a blank text. */
export function messageParts(channel: string, text: string): string[] {
  if (channel === 'phone-sms') return splitForSms(text);
  return text.trim() === '' ? [] : [text.trim()];
}

/** `messageParts` for a text that a person sends: one that needs no parts stays as it was written. */
export function partsAsWritten(channel: string, text: string): string[] {
  const isWhole = channel !== 'phone-sms' || text.length <= smsLimit;
  return isWhole ? [text] : messageParts(channel, text);
}

/** Whether a person's text needs more messages than it may. */
export function isTooLong(channel: string, text: string): boolean {
  return messageParts(channel, text).length > maxSmsParts;
}
