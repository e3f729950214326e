import { hideEmailOptOuts } from '../../db/channels/email-opt-outs.js';
import { insertOptOutOfErased } from '../../db/channels/sms-opt-outs.js';
import { lockMemberRoles } from '../../db/people/member-roles.js';
import { lockMemberOrDeleted, type MemberRow } from '../../db/people/members.js';
import { insertErasedIdentifiers } from '../../db/person-data/erased-identifiers.js';
import {
  findAccountOfOnly,
  findErasureOfMember,
  insertPersonErasure,
  type PersonErasureRow,
  reopenPersonErasure,
} from '../../db/person-data/person-erasures.js';
import type { Tx } from '../../db/tx.js';
import { closeChatsOf } from '../assignments/close-chats.js';
import { recordAudit } from '../kernel/audit/record-audit.js';
import type { CommandContext } from '../kernel/context.js';
import { memberErasedEvent } from '../kernel/events/member-events.js';
import { writeEvents } from '../kernel/events/write-events.js';
import { pokeErasureRun } from '../kernel/runs.js';
import { Conflict, InvalidInput, NotFound } from '../lib/errors.js';
import { requireCovers } from '../people/member-roles/role-grants.js';
import { removeMember } from '../people/members/delete-member.js';
import { eraseTable } from './erase-table.js';

/**
 * Begins the erasure of a member: the transaction deletes the member, empties its row, closes its chats, ends its
 * sessions and tokens, and starts the run that reaches everything else. A member that was deleted before is erased as
 * well. A request for an erasure in progress returns that one; one for a finished erasure looks for what came since.
 * @throws Forbidden, NotFound, InvalidInput at `/confirm`, Conflict `own_member`, `member_is_assistant`, `last_admin`
 */
export async function eraseMember(
  { db, clock, actor }: CommandContext,
  memberId: number,
  { confirm }: { confirm: string },
): Promise<PersonErasureRow> {
  actor.require('person_data:erase');
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const roles = await lockMemberRoles(tx);
    const member = await lockMemberOrDeleted(tx, memberId);
    if (member === undefined) throw new NotFound('Member');
    if (member.kind === 'assistant') {
      throw new Conflict('member_is_assistant', 'This member is an assistant. Delete the assistant instead.');
    }
    if (member.id === actor.memberId) {
      throw new Conflict('own_member', 'Members cannot erase themselves. Ask another admin.');
    }
    requireConfirmed(member, confirm);
    const role = roles.find(({ id }) => id === member.memberRoleId);
    if (role !== undefined && member.deletedAt === null) await requireCovers(tx, actor, role);

    const before = await findErasureOfMember(tx, memberId);
    if (before !== undefined && before.finishedAt === null) return before;
    const accountId = await findAccountOfOnly(tx, memberId);
    await keepOptOut(tx, member);
    await eraseTable(tx, 'public.person_exports', { workspaceId: tx.workspaceId, memberId, accountId });
    await eraseTable(tx, 'public.member_imports', { workspaceId: tx.workspaceId, memberId, accountId });
    await eraseTable(tx, 'public.sms_opt_outs', { workspaceId: tx.workspaceId, memberId, accountId });
    await eraseTable(tx, 'public.inbound_emails', { workspaceId: tx.workspaceId, memberId, accountId });
    if (member.deletedAt === null) await removeMember(db, tx, { id: memberId, role }, now);
    else await closeChatsOf(tx, memberId, now);
    await eraseTable(tx, 'public.members', { workspaceId: tx.workspaceId, memberId, accountId });
    const erasure =
      before === undefined
        ? await insertPersonErasure(tx, {
            memberId,
            requestedByMemberId: actor.memberId,
            accountId,
            createdAt: now,
          })
        : await reopenPersonErasure(tx, before.id, now);
    await insertErasedIdentifiers(tx, { id: erasure.id, createdAt: now }, identifiersOf(member));
    if (before === undefined) await writeEvents(tx, [memberErasedEvent(member)], now);
    recordAudit(tx, { clock, actor }, 'member:erased', { subject: ['member', memberId] });
    await pokeErasureRun(tx, erasure);
    return erasure;
  });
}

function identifiersOf({ email, phone, externalId }: MemberRow): string[] {
  return [email, phone, externalId].filter((one) => one !== null);
}

/** Guards against erasing the wrong member: the caller names the member a second time. */
function requireConfirmed({ id, externalId, email, phone }: MemberRow, confirm: string): void {
  if ([String(id), externalId, email, phone].includes(confirm)) return;
  throw InvalidInput.field('/confirm', 'must be the id, externalId, email or phone of the member');
}

/** A number that may not be texted, and an address that may not be written to, stay known as digests. */
async function keepOptOut(tx: Tx, { phone, email, smsOptedOutAt }: MemberRow): Promise<void> {
  if (email !== null) await hideEmailOptOuts(tx, email);
  if (phone !== null && smsOptedOutAt !== null) await insertOptOutOfErased(tx, phone, smsOptedOutAt);
}
