import { listRecentUserTexts } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/database.js';
import { messageText } from '../../channels/message-text.js';

/** Shorter texts are not compared: people repeat short answers, while automatic replies are sentences. */
const shortestSentence = 16;
const longestReply = 2_000;
const messagesToCompare = 5;

/**
 * Whether a message of the member repeats one of the member's latest messages word for word, as automatic replies do.
 * Such a message is answered like any other, but does not count as a sign that a person is present.
 */
export async function looksAutomatic(tx: Tx, chatId: number, text: string): Promise<boolean> {
  const wanted = normalize(text);
  if (wanted.length < shortestSentence || wanted.length > longestReply) return false;
  const latest = await listRecentUserTexts(tx, chatId, messagesToCompare);
  return latest.some((content) => normalize(messageText(content)) === wanted);
}

function normalize(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
