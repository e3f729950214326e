import {
  type OutgoingFilter,
  type OutgoingMessage,
  selectOutgoingMessages,
} from '../../../db/conversations/outgoing-messages.js';
import type { CommandContext } from '../../kernel/context.js';

/**
 * Lists the messages of all chats that could not be sent, or are yet to be, the newest first. `next`: where the list goes
 * on. @throws Forbidden
 */
export async function listOutgoingMessages(
  { db, actor }: CommandContext,
  filter: OutgoingFilter,
  limit: number,
): Promise<{ items: OutgoingMessage[]; next?: number }> {
  actor.require('chats:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const found = await selectOutgoingMessages(tx, filter, limit + 1);
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return found.length <= limit || last === undefined ? { items } : { items, next: last.id };
  });
}
