import { deleteChatLabel as removeLabel } from '../../../db/conversations/chat-labels.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** Deletes a label and removes it from its chats. @throws NotFound, Forbidden */
export async function deleteChatLabel({ db, actor }: CommandContext, id: number): Promise<void> {
  actor.require('workspace:write');
  const existed = await db.inWorkspace(actor.workspaceId, (tx) => removeLabel(tx, id));
  if (!existed) throw new NotFound('Chat label');
}
