import type { DeliveryRow } from '../../../db/channels/deliveries.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { findLastHeard, findLastTexted, type MessageRow } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';

/** How long after the member's last message the member is taken to be there, so that whatever is said is an answer. */
export const presentForMs = 3_600_000;

/**
 * Who begins an exchange with a message; null for an answer. The purpose does not say so: to the outreach gate, a follow-up
 * within a day is a reply, and whatever a task says is of a task. What is said within an hour of the member's last message is
 * an answer, and so is the first that an agent says since, however late. A colleague's message that was planned is begun by
 * a person; one that is written now waits for nothing.
 */
export async function begunByOf(
  tx: Tx,
  chat: ChatRow,
  message: Pick<MessageRow, 'author' | 'createdAt'>,
  { purpose, isPlanned, now }: Pick<DeliveryRow, 'purpose'> & { isPlanned: boolean; now: Date },
): Promise<DeliveryRow['begunBy']> {
  const isOfPerson = message.author === 'person';
  if (isOfPerson && !isPlanned) return null;
  const heard = await findLastHeard(tx, chat.id, message.createdAt);
  if (heard !== undefined && now.getTime() - heard.at.getTime() < presentForMs) return null;
  if (isOfPerson) return 'person';
  if (purpose === 'task') return 'task';
  return heard === undefined || purpose === 'agent_initiated' || heard.isAnswered ? 'agent' : null;
}

const answeredForMs = 24 * 3_600_000;

/**
 * Whether a text in a chat begins an exchange, and costs what nobody has asked for by a text of their own: none came within a day, and
 * none waits for an answer. What is written on a page, or said through the API, asks for nothing at the number.
 */
export async function beginsTexts(
  tx: Tx,
  { id }: Pick<ChatRow, 'id'>,
  { now, before = now }: { now: Date; before?: Date },
): Promise<boolean> {
  const texted = await findLastTexted(tx, id, before);
  if (texted === undefined) return true;
  return texted.isAnswered && now.getTime() - texted.at.getTime() >= answeredForMs;
}

/** Whether quiet hours hold it: an agent or a task begins an exchange with it. */
export function isHoldable({ begunBy }: Pick<DeliveryRow, 'begunBy'>): boolean {
  return begunBy === 'agent' || begunBy === 'task';
}
