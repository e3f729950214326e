import { countOpenStartedBy, findOldestStarted } from '../../db/assignments/begun-by-member.js';
import { lockSubject } from '../../db/lock-subject.js';
import type { Tx } from '../../db/tx.js';
import type { Actor } from '../kernel/actor.js';
import type { Permission } from '../kernel/scopes.js';
import { Conflict, TooManyRequests } from '../lib/errors.js';

/** What a member may begin for itself without a permission: each is a durable run, and may send texts. */
export const beginBounds = { openOfWorkflow: 20, open: 50, chatsADay: 100 } as const;

const dayMs = 24 * 3_600_000;

/**
 * Requires room for another chat, with an assignment if it has a workflow. Those of a member take turns, so that each counts
 * those before it. @throws Conflict `too_many_assignments`, TooManyRequests `too_many_chats`
 */
export async function requireRoomToBegin(
  tx: Tx,
  actor: Actor,
  { permission, definitionId }: { permission: Permission; definitionId: number | undefined },
  now: Date,
): Promise<void> {
  if (actor.can(permission)) return;
  const { memberId } = actor;
  await lockSubject(tx, `what member ${memberId} begins`);
  const since = new Date(now.getTime() - dayMs);
  const { chatsADay: most, open, openOfWorkflow } = beginBounds;
  const oldest = await findOldestStarted(tx, { memberId, since, most });
  if (oldest !== undefined) {
    const seconds = Math.max(1, Math.ceil((oldest.getTime() - since.getTime()) / 1_000));
    throw new TooManyRequests(`You have begun ${most} chats within 24 hours.`, seconds, 'too_many_chats');
  }
  if (definitionId === undefined) return;
  const begun = await countOpenStartedBy(tx, { memberId, definitionId, most: open });
  if (begun.open >= open) {
    throw new Conflict('too_many_assignments', `You have ${open} active assignments.`);
  }
  if (begun.ofWorkflow >= openOfWorkflow) {
    throw new Conflict(
      'too_many_assignments',
      `You have ${openOfWorkflow} active assignments of the workflow.`,
    );
  }
}
