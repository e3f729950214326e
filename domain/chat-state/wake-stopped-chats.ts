import { freeChatsOutOfCredits } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/tx.js';
import type { ServiceContext } from '../kernel/context.js';
import { pokeChatRun } from '../kernel/runs.js';
import { findSpentMonth } from './credit-budget.js';

/** How many chats are woken in one transaction. */
const batchSize = 100;

/**
 * Lets the agent go on in chats that were stopped for lack of credits, unless there are none again, and pokes their
 * runs in the same transaction. @returns whether some are left
 */
export async function wakeStoppedChats(tx: Tx, now: Date): Promise<boolean> {
  if ((await findSpentMonth(tx, now)) !== undefined) return false;
  const chats = await freeChatsOutOfCredits(tx, batchSize);
  for (const chat of chats) await pokeChatRun(tx, chat, { woken: true });
  return chats.length === batchSize;
}

/** `wakeStoppedChats` of a workspace, for the reconciler. */
export async function wakeStoppedChatsOf(context: ServiceContext, workspaceId: number): Promise<boolean> {
  return context.db.inWorkspace(workspaceId, (tx) => wakeStoppedChats(tx, context.clock.now()));
}
