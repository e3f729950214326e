import { type RowOf, TenantModel } from './tenant-model.js';

export class MemberRoleModel extends TenantModel {
  static override tableName = 'member_roles';

  declare name: string;
  declare useAdmin: boolean;
  declare manageWorkspace: boolean;
  declare permissions: string[];
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type MemberRoleRow = RowOf<MemberRoleModel>;
