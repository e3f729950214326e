import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class UnprovedIdentifierModel extends tenantTable('unproved_identifiers', {
  memberId: column<number>(),
  channel: column<'email' | 'phone'>('code'),
  address: column<string>('personal'),
  /** Since when it signs nobody in and attributes no message to the member, which another proof or form is about. */
  barredAt: column<Date | null>(),
  /** Since when somebody else has it, so that it has left the member's row. */
  disputedAt: column<Date | null>(),
  createdAt: column<Date>(),
}) {}

export type UnprovedIdentifierRow = RowOf<UnprovedIdentifierModel>;
