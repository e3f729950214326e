import {
  countMemberRoleUses,
  lockMemberRoles,
  moveDeletedMembers,
  removeMemberRole,
} from '../../../db/people/member-roles.js';
import { violatedConstraint } from '../../../db/postgres-errors.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { defaultMemberRole, ensureDefaultRemains } from './default-member-role.js';
import { requireCovers } from './role-grants.js';

/**
 * A role that a workflow definition is limited to is kept: else all could start it. @throws NotFound, Forbidden,
 * Conflict
 */
export async function deleteMemberRole({ db, clock, actor }: CommandContext, id: number): Promise<void> {
  actor.require('roles:write');
  try {
    await db.inWorkspace(actor.workspaceId, async (tx) => {
      const roles = await lockMemberRoles(tx);
      const role = roles.find((candidate) => candidate.id === id);
      if (role === undefined) throw new NotFound('Member role');
      await requireCovers(tx, actor, role);
      const uses = await countMemberRoleUses(tx, id);
      if (uses.members > 0) throw inUse(`Members with this role: ${uses.members}.`);
      if (uses.definitions > 0)
        throw inUse(`Workflow definitions limited to this role: ${uses.definitions}.`);
      const others = roles.filter((candidate) => candidate.id !== id);
      ensureDefaultRemains(others);
      const heir = defaultMemberRole(others);
      if (heir !== undefined) await moveDeletedMembers(tx, id, heir.id);
      await removeMemberRole(tx, id);
      recordAudit(tx, { clock, actor }, 'role:deleted', { subject: ['role', id] });
    });
  } catch (error) {
    if (violatedConstraint(error) === 'sites_workspace_id_signup_member_role_id_fkey') {
      throw inUse('A site gives this role to those who sign up through it.');
    }
    // A concurrent request assigned the role, or a deleted member has it and no other role can replace it.
    if (violatedConstraint(error) !== undefined) throw inUse('Members have this role.');
    throw error;
  }
}

function inUse(message: string): Conflict {
  return new Conflict('role_in_use', message);
}
