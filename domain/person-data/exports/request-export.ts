import { lockSubject } from '../../../db/lock-subject.js';
import { lockMemberOrDeleted } from '../../../db/people/members.js';
import { findErasureOfMember } from '../../../db/person-data/person-erasures.js';
import {
  countExports,
  findNewestExport,
  insertPersonExport,
  type PersonExportRow,
} from '../../../db/person-data/person-exports.js';
import type { Tx } from '../../../db/tx.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokeExportRun } from '../../kernel/runs.js';
import { Conflict, NotFound, TooManyRequests } from '../../lib/errors.js';
import { exportLimits } from './limits.js';
import { type ExportView, viewExport } from './read-export.js';

/**
 * Begins to build an archive of what is stored about a member: a run does the work. With the permission it is of any
 * member, also of a deleted one, with what members do not see of themselves; without it, members get their own. A
 * request while one is being built returns that one. The archive before is kept until the new one is complete.
 * @param keptDays how long the archive is kept
 * @throws NotFound, Forbidden, Conflict `member_is_assistant`, `member_erased`, TooManyRequests `too_many_exports`
 */
export async function requestExport(
  { db, clock, actor }: CommandContext,
  memberId: number,
  { keptDays }: { keptDays: number },
): Promise<ExportView> {
  const now = clock.now();
  const includesInternal = actor.can('person_data:export');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const member = await lockMemberOrDeleted(tx, memberId);
    if (member === undefined || (member.deletedAt !== null && !includesInternal))
      throw new NotFound('Member');
    if (actor.sealedAt !== null) actor.require('person_data:export');
    actor.requireSelfOr(memberId, 'person_data:export');
    if (member.kind === 'assistant') {
      throw new Conflict('member_is_assistant', 'This member is an assistant, and no person.');
    }
    // An erasure locks the member first, as this does: whichever is later sees the other.
    if ((await findErasureOfMember(tx, memberId)) !== undefined) {
      throw new Conflict('member_erased', 'What was stored about this member is erased.');
    }
    const newest = await findNewestExport(tx, { memberId, includesInternal });
    if (newest !== undefined && newest.finishedAt === null) return viewExport(tx, newest, now);
    await requireRoom(tx, { memberId, includesInternal }, now);
    const created = await insertPersonExport(tx, {
      memberId,
      requestedByMemberId: actor.memberId,
      includesInternal,
      keptDays,
      createdAt: now,
    });
    recordAudit(tx, { clock, actor }, 'data_export:requested', { subject: ['member', memberId] });
    await pokeExportRun(tx, created);
    return viewExport(tx, created, now);
  });
}

async function requireRoom(
  tx: Tx,
  kind: Pick<PersonExportRow, 'memberId' | 'includesInternal'>,
  now: Date,
): Promise<void> {
  await lockSubject(tx, 'number of exports');
  const since = new Date(now.getTime() - exportLimits.dayMs);
  const { open, ofMember } = await countExports(tx, kind, since);
  if (ofMember >= exportLimits.ofMemberInDay) {
    const message = `There are at most ${exportLimits.ofMemberInDay} exports of a member a day.`;
    throw new TooManyRequests(message, 3_600, 'too_many_exports');
  }
  if (open >= exportLimits.openOfWorkspace) {
    const message = `At most ${exportLimits.openOfWorkspace} exports of a workspace are built at a time.`;
    throw new TooManyRequests(message, 60, 'too_many_exports');
  }
}
