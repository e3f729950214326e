import type { MessageContent } from '../../db/conversations/messages.js';

/** The text of a message: the string, or its text parts one under the other. */
export function messageText(content: MessageContent | null): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content
    .map((part) => part.text ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

/** The carrier takes 1,600 characters in one message. */
export const smsLimit = 1_600;

/** Splits a text for SMS, at paragraphs, sentences or words where there are any. */
function splitForSms(text: string, limit = smsLimit): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > limit) {
    const head = rest.slice(0, limit);
    const at = Math.max(head.lastIndexOf('\n'), head.lastIndexOf('. ') + 1, Math.floor(limit / 2));
    const space = head.lastIndexOf(' ');
    const cut = at > limit / 2 ? at : space > 0 ? space : limit;
    parts.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  if (rest !== '') parts.push(rest);
  return parts;
}

/** A text as the messages it makes on a channel; none when there is nothing in it. */
export function messageParts(channel: string, text: string): string[] {
  if (channel === 'phone-sms') return splitForSms(text);
  return text.trim() === '' ? [] : [text.trim()];
}
