import { insertMemberRole, lockMemberRoles, type MemberRoleRow } from '../../../db/people/member-roles.js';
import { insertMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { type AccountContext, requireSuperuser } from '../../kernel/account-context.js';
import { recordAccountAudit, recordAuditOfNobody } from '../../kernel/audit/record-audit.js';
import { memberCreatedEvent } from '../../kernel/events/member-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import type { InstallationPolicy } from '../../kernel/installation-policy.js';
import { allScopes } from '../../kernel/scopes.js';
import { NotFound } from '../../lib/errors.js';
import { emptyMember } from '../../people/members/add-member.js';
import { ssoRequired } from '../single-sign-on/sso-only.js';

/** The role of superusers in workspaces that are not theirs. */
const supportRoleName = 'Service support';
const hourMs = 3_600_000;

/**
 * Makes a superuser an administrator of any workspace, who is no remaining admin. Another call extends the access.
 * @throws Forbidden, NotFound
 */
export async function takeSupportAccess(
  context: AccountContext & { policy: InstallationPolicy },
  workspaceUuid: string,
  reason: string,
): Promise<{ memberId: number; endsAt: Date | null }> {
  requireSuperuser(context);
  const { db, clock, account, policy } = context;
  const workspace = await db.identity.workspaces.findByUuid(workspaceUuid);
  if (workspace === undefined) throw new NotFound('Workspace');
  return db.inWorkspace(workspace.id, async (tx) => {
    if (await db.identity.organizations.isSsoOnly(workspace.id, tx)) throw ssoRequired();
    const now = clock.now();
    // The row lock of the account serializes concurrent calls.
    await db.identity.accounts.lock(account.id, tx);
    const by = { now, credential: context.credential };
    recordAccountAudit(tx, by, account.id, 'support_access:taken');
    const endsAt = new Date(now.getTime() + policy.supportAccessHours * hourMs);
    const there = await db.identity.memberships.findByAccount(workspace.id, account.id, tx);
    const taken = (memberId: number) =>
      recordAuditOfNobody(tx, { now, source: context.credential.source }, 'support_access:taken', {
        subject: ['member', memberId],
        actorMemberId: memberId,
      });
    if (there !== undefined) {
      taken(there.memberId);
      const isSupport = await db.identity.memberships.extendSupport(there, { reason, endsAt }, tx);
      return { memberId: there.memberId, endsAt: isSupport ? endsAt : null };
    }
    const role = await supportRole(tx, now);
    const member = await insertMember(
      tx,
      {
        ...emptyMember,
        name: account.name ?? supportRoleName,
        memberRoleId: role.id,
        locale: account.locale,
        notifyEmail: false,
        notifySms: false,
        notifyVoice: false,
      },
      now,
    );
    const membership = { workspaceId: workspace.id, memberId: member.id, accountId: account.id };
    const support = { isSupport: true, supportReason: reason, supportEndsAt: endsAt };
    await db.identity.memberships.add({ ...membership, createdAt: now, ...support }, tx);
    taken(member.id);
    const added = { ...member, memberRoleName: role.name, labels: [] };
    await writeEvents(tx, [memberCreatedEvent(added)], now);
    return { memberId: member.id, endsAt };
  });
}

/** The support role of the workspace. It is created with every permission; the workspace may restrict it. */
async function supportRole(tx: Tx, now: Date): Promise<MemberRoleRow> {
  const roles = await lockMemberRoles(tx);
  const found = roles.find(({ name }) => name === supportRoleName);
  if (found !== undefined) return found;
  const grants = { permissions: [...allScopes], useAdmin: true, manageWorkspace: true };
  return insertMemberRole(tx, { name: supportRoleName, ...grants }, now);
}
