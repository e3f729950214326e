import type { RowOf } from '../../lib/tenant-model.js';
import { column, tenantTable } from '../../lib/tenant-table.js';

export class MemberLabelModel extends tenantTable('member_labels', {
  uuid: column<string>(),
  name: column<string>(),
  slug: column<string>(),
  color: column<string>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type MemberLabelRow = RowOf<MemberLabelModel>;
