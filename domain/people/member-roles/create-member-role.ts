import {
  insertMemberRole,
  type MemberRoleRow,
  type MemberRoleValues,
} from '../../../db/people/member-roles.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { requireCovers } from './role-grants.js';
import { checkPermissions, reportingTakenName } from './role-input.js';

type NewMemberRole = Pick<MemberRoleValues, 'name' | 'permissions'> &
  Partial<Pick<MemberRoleValues, 'useAdmin' | 'manageWorkspace'>>;

/** Creates a role that grants no more than the actor has. @throws Forbidden, InvalidInput */
export async function createMemberRole(
  { db, clock, actor }: CommandContext,
  input: NewMemberRole,
): Promise<MemberRoleRow> {
  actor.require('roles:write');
  return reportingTakenName(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const values = {
        name: input.name,
        permissions: await checkPermissions(tx, input.permissions),
        useAdmin: input.useAdmin ?? false,
        manageWorkspace: input.manageWorkspace ?? false,
      };
      await requireCovers(tx, actor, values);
      const role = await insertMemberRole(tx, values, clock.now());
      recordAudit(tx, { clock, actor }, 'role:created', {
        subject: ['role', role.id],
        names: role.permissions,
      });
      return role;
    }),
  );
}
