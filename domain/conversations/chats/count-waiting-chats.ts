import {
  countWaitingChats,
  type QueueCount,
  type QueueState,
} from '../../../db/conversations/waiting-chats.js';
import type { CommandContext } from '../../kernel/context.js';

/** How many chats wait for a person: in all, and by reason, channel and how long. @throws Forbidden */
export async function countQueue(
  { db, actor, clock }: CommandContext,
  { state }: { state: QueueState },
): Promise<QueueCount[]> {
  actor.require('chats:read');
  const filter = { state, claimedBy: actor.memberId, now: clock.now() };
  return db.readInWorkspace(actor.workspaceId, (tx) => countWaitingChats(tx, filter));
}
