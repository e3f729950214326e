import type { Tx } from '../../../db/database.js';
import { insertMemberRole, listMemberRoles } from '../../../db/people/member-roles.js';
import { defaultMemberRole } from '../../people/member-roles/default-member-role.js';

/**
 * Returns the role for the members of assistants: the workspace's first non-admin role, which is created if there is
 * none.
 */
export async function assistantRoleId(tx: Tx, now: Date): Promise<number> {
  const roles = await listMemberRoles(tx);
  const plain = defaultMemberRole(roles);
  if (plain !== undefined) return plain.id;
  const taken = new Set(roles.map((role) => role.name));
  const name = ['Assistant', 'Assistants', 'Plain assistants'].find((candidate) => !taken.has(candidate));
  const created = await insertMemberRole(
    tx,
    {
      name: name ?? `Assistants ${roles.length + 1}`,
      useAdmin: false,
      manageWorkspace: false,
      permissions: [],
    },
    now,
  );
  return created.id;
}
