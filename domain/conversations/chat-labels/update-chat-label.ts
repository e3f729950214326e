import {
  type ChatLabelRow,
  type ChatLabelValues,
  updateChatLabel as writeLabel,
} from '../../../db/conversations/chat-labels.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { reportingTakenSlug } from './reporting-taken-slug.js';

/**
 * Changes a label, which affects all chats that have it.
 *
 * @throws NotFound, Forbidden, InvalidInput if the slug is taken
 */
export async function updateChatLabel(
  { db, clock, actor }: CommandContext,
  id: number,
  input: Partial<ChatLabelValues>,
): Promise<ChatLabelRow> {
  actor.require('workspace:write');
  const changes = { ...input, ...(input.color === undefined ? {} : { color: input.color.toLowerCase() }) };
  const updated = await reportingTakenSlug(() =>
    db.inWorkspace(actor.workspaceId, (tx) => writeLabel(tx, id, changes, clock.now())),
  );
  if (updated === undefined) throw new NotFound('Chat label');
  return updated;
}
