import { findMemberDetails, type MemberDetails, setMemberDisabled } from '../../../db/people/members.js';
import { wakeChatsOf } from '../../chat-state/disabled-member.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { ensureManagerRemains, isManagerRole } from '../member-roles/last-manager.js';
import { requireCovers } from '../member-roles/role-grants.js';
import { lockMemberAndRoles } from './delete-member.js';

/**
 * Repeating the call changes nothing. @throws Forbidden, NotFound, Conflict for the last admin, for assistants and for
 * the own member
 */
export async function setMemberEnabled(
  { db, clock, actor }: CommandContext,
  id: number,
  enabled: boolean,
): Promise<MemberDetails> {
  actor.require('members:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const { member, role } = await lockMemberAndRoles(tx, id);
    if (member.kind === 'assistant') {
      throw new Conflict('member_is_assistant', 'This member is an assistant and cannot be disabled.');
    }
    if (id === actor.memberId)
      throw new Conflict('own_member', 'You cannot enable or disable your own member.');
    if (role !== undefined) await requireCovers(tx, actor, role);
    if (enabled !== (member.disabledAt === null)) {
      const now = clock.now();
      await setMemberDisabled(tx, id, enabled ? null : now, now);
      recordAudit(tx, { clock, actor }, enabled ? 'member:enabled' : 'member:disabled', {
        subject: ['member', id],
      });
      if (enabled) await wakeChatsOf(tx, id);
      const owner = { accountId: null, workspaceId: tx.workspaceId, memberId: id };
      if (!enabled) await db.identity.sessions.endAll(owner, now, { tx });
      if (!enabled && role !== undefined && isManagerRole(role)) await ensureManagerRemains(db, tx);
    }
    const changed = await findMemberDetails(tx, id);
    if (changed === undefined) throw new NotFound('Member');
    return changed;
  });
}
