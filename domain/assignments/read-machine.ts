import { findChat } from '../../db/conversations/chats.js';
import type { CommandContext } from '../kernel/context.js';
import { NotFound } from '../lib/errors.js';
import { assemble, type Machine } from './machine/machine.js';
import { readableAssignment } from './require-assignment.js';

/**
 * Runs `read` on the machine of an assignment, without changing it. Other members' assignments need `assignments:read`.
 *
 * @throws NotFound, Forbidden
 */
export async function readMachine<T>(
  { db, actor, clock }: CommandContext,
  assignmentId: number,
  read: (machine: Machine) => Promise<T>,
): Promise<T> {
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const assignment = await readableAssignment(tx, actor, assignmentId);
    const chat = await findChat(tx, assignment.chatId);
    if (chat === undefined) throw new NotFound('Chat');
    return read(await assemble(tx, clock.now(), chat, assignment));
  });
}
