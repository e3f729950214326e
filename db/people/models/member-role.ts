import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class MemberRoleModel extends tenantTable('member_roles', {
  name: column<string>('configuration'),
  useAdmin: column<boolean>(),
  manageWorkspace: column<boolean>(),
  permissions: column<string[]>('codes'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type MemberRoleRow = RowOf<MemberRoleModel>;
