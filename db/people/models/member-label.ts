import { labelColumns } from '../../lib/labels.js';
import { column, tenantTable } from '../../lib/table.js';

export class MemberLabelModel extends tenantTable('member_labels', labelColumns) {}

export class MemberLabelLinkModel extends tenantTable('member_label_links', {
  memberId: column<number>(),
  memberLabelId: column<number>(),
  createdAt: column<Date>(),
}) {}
