import { countMessages, listMessages, type MessageRow } from '../../db/conversations/messages.js';
import { seesNotes } from '../chat-state/chat-access.js';
import type { CommandContext } from '../kernel/context.js';
import { readableAssignment } from './require-assignment.js';

/** The messages of an assignment's chat, newest first, and their total if requested. @throws NotFound, Forbidden */
export async function listAssignmentMessages(
  { db, actor }: CommandContext,
  input: { assignmentId: number; limit: number; offset: number; count: boolean },
): Promise<{ messages: MessageRow[]; total?: number }> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { chatId, memberId } = await readableAssignment(tx, actor, input.assignmentId);
    const filter = { chatId, withNotes: seesNotes(actor, memberId) };
    const [messages, total] = await Promise.all([
      listMessages(tx, filter, input.limit, input.offset),
      input.count ? countMessages(tx, filter) : undefined,
    ]);
    return total === undefined ? { messages } : { messages, total };
  });
}
