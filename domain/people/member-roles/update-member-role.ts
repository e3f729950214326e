import {
  lockMemberRoles,
  type MemberRoleRow,
  type MemberRoleValues,
  patchMemberRole,
} from '../../../db/people/member-roles.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { ensureDefaultRemains } from './default-member-role.js';
import { ensureManagerRemains, isManagerRole } from './last-manager.js';
import { requireCovers } from './role-grants.js';
import { checkPermissions, reportingTakenName } from './role-input.js';

/** Affects its members from their next request on. @throws NotFound, Forbidden, InvalidInput, Conflict */
export async function updateMemberRole(
  { db, clock, actor }: CommandContext,
  id: number,
  input: Partial<MemberRoleValues>,
): Promise<MemberRoleRow> {
  actor.require('roles:write');
  return reportingTakenName(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const roles = await lockMemberRoles(tx);
      const role = roles.find((candidate) => candidate.id === id);
      if (role === undefined) throw new NotFound('Member role');
      await requireCovers(tx, actor, role);
      const { permissions, ...rest } = input;
      const changes = {
        ...rest,
        ...(permissions === undefined ? {} : { permissions: await checkPermissions(tx, permissions) }),
      };
      await requireCovers(tx, actor, { ...role, ...changes });
      const updated = await patchMemberRole(tx, id, changes, clock.now());
      if (updated === undefined) throw new NotFound('Member role');
      ensureDefaultRemains(roles.map((other) => (other.id === id ? updated : other)));
      if (isManagerRole(role) && !isManagerRole(updated)) await ensureManagerRemains(db, tx);
      recordAudit(tx, { clock, actor }, 'role:updated', {
        subject: ['role', id],
        names: changesOf(role, updated),
      });
      return updated;
    }),
  );
}

/** Permissions that the role gained (+) and lost (-), and the names of other fields that changed. */
function changesOf(before: MemberRoleRow, after: MemberRoleRow): string[] {
  const gained = after.permissions.filter((one) => !before.permissions.includes(one));
  const lost = before.permissions.filter((one) => !after.permissions.includes(one));
  const others = (['name', 'useAdmin', 'manageWorkspace'] as const).filter(
    (one) => before[one] !== after[one],
  );
  return [...gained.map((one) => `+${one}`), ...lost.map((one) => `-${one}`), ...others];
}
