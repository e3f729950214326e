import { words } from './words.js';

const PERSON = /\b(human|operator|representative|person|someone|somebody|staff|agent)\b/i;
const WISH = /\b(speak|talk|chat|connect|transfer|pass|get|give|call|want|need|prefer|like)\b/i;

/** Whether a message requests a human: as an explicit wish, or as little more than the word itself. */
export function asksForPerson(text: string): boolean {
  if (!PERSON.test(text)) return false;
  return WISH.test(text) || (words(text).length <= 3 && /\b(human|operator|representative)\b/i.test(text));
}
