import { TenantModel } from '../../lib/tenant-model.js';

export class MemberLabelLinkModel extends TenantModel {
  static override tableName = 'member_label_links';

  declare memberId: number;
  declare memberLabelId: number;
  declare createdAt: Date;
}
