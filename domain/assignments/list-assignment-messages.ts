import { listMessages, type MessageRow } from '../../db/queries/messages.js';
import type { CommandContext } from '../context.js';
import { readableAssignment } from './require-assignment.js';

/** The messages of an assignment's chat, newest first. @throws NotFound, Forbidden */
export async function listAssignmentMessages(
  { db, actor }: CommandContext,
  input: { assignmentId: number; limit: number; offset: number },
): Promise<MessageRow[]> {
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const { chatId } = await readableAssignment(tx, actor, input.assignmentId);
    return listMessages(tx, chatId, input.limit, input.offset);
  });
}
