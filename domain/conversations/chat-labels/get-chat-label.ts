import { type ChatLabelRow, findChatLabel } from '../../../db/conversations/chat-labels.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** Needs no permission. @throws NotFound */
export async function getChatLabel({ db, actor }: CommandContext, id: number): Promise<ChatLabelRow> {
  const label = await db.readInWorkspace(actor.workspaceId, (tx) => findChatLabel(tx, id));
  if (label === undefined) throw new NotFound('Chat label');
  return label;
}
