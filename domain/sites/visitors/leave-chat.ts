import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { type ChatRow, lockChat } from '../../../db/conversations/chats.js';
import { cancelFollowUps } from '../../../db/conversations/follow-ups.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { conclude, supersedeForEnd } from '../../assignments/machine/conclude.js';
import { lockMachine } from '../../assignments/machine/machine.js';
import { isNobody } from './is-nobody.js';
import type { VisitorContext } from './visitor-context.js';

/**
 * Ends the token of the visitor's browser. Where nobody is known to be the visitor, nothing reaches it any more: its assignment is
 * cancelled, and the agent does nothing more by itself. A colleague who is to answer is alerted as before.
 */
export async function leaveChat({ db, clock, workspaceId, visitor }: VisitorContext): Promise<void> {
  const now = clock.now();
  await db.inWorkspace(workspaceId, async (tx) => {
    const locked = await db.identity.siteVisitors.lock(visitor.id, tx);
    if (locked === undefined) return;
    await db.identity.siteVisitors.patch(visitor.id, { endedAt: now }, tx);
    const { memberId, chatId } = locked;
    if (memberId === null || chatId === null) return;
    const member = await findMember(tx, memberId);
    if (member === undefined || !(await isNobody(db, tx, member))) return;
    const chat = await lockChat(tx, chatId);
    if (chat !== undefined) await endForVisitor(tx, chat, now);
  });
}

async function endForVisitor(tx: Tx, chat: ChatRow, now: Date): Promise<void> {
  const content = 'The visitor has ended the chat, and reads nothing that is written here.';
  await insertMessage(tx, { chatId: chat.id, role: 'system', author: 'system', content });
  await cancelFollowUps(tx, chat.id, now);
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment?.status !== 'active') return;
  const machine = await lockMachine(tx, assignment.id, now);
  if (machine === undefined) return;
  await supersedeForEnd(machine);
  const conclusion = { status: 'cancelled', outcome: 'visitor_left' } as const;
  await conclude(machine, conclusion, { by: 'member', actorMemberId: chat.memberId, inTurn: false });
}
