import { selectLastMessages } from '../../../db/conversations/chat-lists.js';
import type { CommandContext } from '../../kernel/context.js';

/** When each of these members last wrote; those who never did are left out. @throws Forbidden */
export async function listLastMessages({ db, actor }: CommandContext, memberIds: readonly number[]) {
  actor.require('chats:read');
  return db.readInWorkspace(actor.workspaceId, (tx) => selectLastMessages(tx, memberIds));
}
