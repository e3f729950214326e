import type { MemberRoleRow } from '../../../../db/people/member-roles.js';
import type { MemberRoleResponse } from './schemas.js';

export function presentMemberRole(row: MemberRoleRow): MemberRoleResponse {
  return {
    id: row.id,
    name: row.name,
    useAdmin: row.useAdmin,
    manageWorkspace: row.manageWorkspace,
    permissions: row.permissions,
  };
}
