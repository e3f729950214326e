import type { RowOf } from '../../lib/tenant-model.js';
import { column, tenantTable } from '../../lib/tenant-table.js';

export class UnprovedIdentifierModel extends tenantTable('unproved_identifiers', {
  memberId: column<number>(),
  channel: column<'email' | 'phone'>(),
  address: column<string>(),
  createdAt: column<Date>(),
}) {}

export type UnprovedIdentifierRow = RowOf<UnprovedIdentifierModel>;
