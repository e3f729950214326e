import { column, tenantTable } from '../../lib/tenant-table.js';

export class MemberLabelLinkModel extends tenantTable('member_label_links', {
  memberId: column<number>(),
  memberLabelId: column<number>(),
  createdAt: column<Date>(),
}) {}
