import { listToolCallNames as findNames } from '../../../db/conversations/chat-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import { visibleChats } from './visible-chats.js';

/** Lists the distinct names of the tools that the agent called in chats that the actor may read. */
export async function listToolCallNames({ db, actor }: CommandContext): Promise<string[]> {
  return db.readInWorkspace(actor.workspaceId, (tx) => findNames(tx, visibleChats(actor)));
}
