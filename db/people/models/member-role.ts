import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class MemberRoleModel extends TenantModel {
  static override tableName = 'member_roles';
  static fields = [
    'id',
    'workspaceId',
    'name',
    'useAdmin',
    'manageWorkspace',
    'permissions',
    'createdAt',
    'updatedAt',
  ] as const satisfies readonly (keyof RowOf<MemberRoleModel>)[];

  declare name: string;
  declare useAdmin: boolean;
  declare manageWorkspace: boolean;
  declare permissions: string[];
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type MemberRoleRow = RowOf<MemberRoleModel>;
