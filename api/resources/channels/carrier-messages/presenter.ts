import type { InboundAnswer } from '../../../../domain/conversations/chats/receive-sms.js';

/** TwiML: https://www.twilio.com/docs/messaging/twiml */
export function presentAnswer({ reply }: InboundAnswer): string {
  const verbs = reply === undefined ? '' : `<Message>${escapeXml(reply)}</Message>`;
  const response = verbs === '' ? '<Response/>' : `<Response>${verbs}</Response>`;
  return `<?xml version="1.0" encoding="UTF-8"?>${response}`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
