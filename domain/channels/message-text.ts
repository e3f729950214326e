import type { MessageContent } from '../../db/conversations/messages.js';

export function messageText(content: MessageContent | null): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content
    .map((part) => part.text ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

/** The carrier's maximum length of one message, in characters. */
export const smsLimit = 1_600;

/** Splits a text for SMS, preferably at paragraphs, sentences or words. */
function splitForSms(text: string): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > smsLimit) {
    const head = rest.slice(0, smsLimit);
    const at = Math.max(head.lastIndexOf('\n'), head.lastIndexOf('. ') + 1, smsLimit / 2);
    const space = head.lastIndexOf(' ');
    const cut = at > smsLimit / 2 ? at : space > 0 ? space : smsLimit;
    parts.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  if (rest !== '') parts.push(rest);
  return parts;
}

/** Splits a text into the messages that a channel needs; none for a blank text. */
export function messageParts(channel: string, text: string): string[] {
  if (channel === 'phone-sms') return splitForSms(text);
  return text.trim() === '' ? [] : [text.trim()];
}
