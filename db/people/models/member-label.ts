import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class MemberLabelModel extends TenantModel {
  static override tableName = 'member_labels';

  declare uuid: string;
  declare name: string;
  declare slug: string;
  declare color: string;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type MemberLabelRow = RowOf<MemberLabelModel>;
