import type { Message } from './chat-feed.js';

/** The text of a message, of all its parts. */
export function textOf({ content }: Pick<Message, 'content'>): string {
  if (content === null || typeof content === 'string') return content ?? '';
  return content.map((part) => ('text' in part && typeof part.text === 'string' ? part.text : '')).join('\n');
}
