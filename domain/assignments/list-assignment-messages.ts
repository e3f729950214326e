import { listMessages, type MessageRow } from '../../db/queries/messages.js';
import { seesNotes } from '../chats/readable-chat.js';
import type { CommandContext } from '../context.js';
import { readableAssignment } from './require-assignment.js';

/** The messages of an assignment's chat, newest first. @throws NotFound, Forbidden */
export async function listAssignmentMessages(
  { db, actor }: CommandContext,
  input: { assignmentId: number; limit: number; offset: number },
): Promise<MessageRow[]> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { chatId, memberId } = await readableAssignment(tx, actor, input.assignmentId);
    return listMessages(tx, { chatId, withNotes: seesNotes(actor, memberId) }, input.limit, input.offset);
  });
}
