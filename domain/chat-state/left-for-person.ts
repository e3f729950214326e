import type { ChatRow } from '../../db/conversations/chats.js';
import { findApproval, selectOutcomesUnanswered } from '../../db/conversations/tool-approvals.js';
import type { Tx } from '../../db/tx.js';
import { alertedFor, type NeedsResponseReason, noPersonNeeded } from '../kernel/alert-colleague.js';

/** No answer of the agent brings back what was not kept, or is the news that a colleague has to hear. */
const outlastsAnswers: ReadonlySet<string> = new Set([
  'attachments_not_kept',
  'opted_out',
] satisfies NeedsResponseReason[]);

type ForPerson = Pick<ChatRow, 'needsResponse' | 'needsResponseReason'>;

/**
 * What a person still has to do once the latest reason to alert one is settled. The latest reason replaces
 * earlier ones, and some of these outlast it: a tool call waits for a decision, nothing can move the
 * assignment, an approved call has failed.
 */
export async function leftForPerson(
  tx: Tx,
  chat: Pick<ChatRow, 'id' | 'approvalId' | 'standingReason' | keyof ForPerson>,
): Promise<ForPerson> {
  // A colleague has dismissed whatever there was.
  if (!chat.needsResponse) return noPersonNeeded;
  // The decision comes first: there is a time for it.
  if (await isUndecided(tx, chat)) return alertedFor('approval');
  if (chat.standingReason !== null) return alertedFor(chat.standingReason);
  if (await hasFailedCall(tx, chat.id)) return alertedFor('approved_call_failed');
  const { needsResponseReason: reason } = chat;
  return reason !== null && outlastsAnswers.has(reason) ? alertedFor(reason) : noPersonNeeded;
}

/** What a colleague who returns the chat to the agent leaves for a person. All else is dismissed by that. */
export async function leftToDecide(tx: Tx, chat: Pick<ChatRow, 'approvalId'>): Promise<ForPerson> {
  return (await isUndecided(tx, chat)) ? alertedFor('approval') : noPersonNeeded;
}

async function isUndecided(tx: Tx, { approvalId }: Pick<ChatRow, 'approvalId'>): Promise<boolean> {
  return approvalId !== null && (await findApproval(tx, approvalId))?.state === 'waiting';
}

/** Whether a call that a colleague had approved has failed, and no colleague has written to the member since. */
async function hasFailedCall(tx: Tx, chatId: number): Promise<boolean> {
  const outcomes = await selectOutcomesUnanswered(tx, chatId);
  return outcomes.some((result) => JSON.parse(result).ok !== true);
}
