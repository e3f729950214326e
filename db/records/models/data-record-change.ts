import { column, json, tenantTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class DataRecordChangeModel extends tenantTable('data_record_changes', {
  recordId: column<number>(),
  operation: column<'created' | 'updated' | 'retired' | 'restored'>('code'),
  before: json<Record<string, unknown> | null>('personal'),
  after: json<Record<string, unknown> | null>('personal'),
  actorMemberId: column<number | null>(),
  createdAt: column<Date>(),
  /** The size of `before` and `after`, in bytes. */
  valueBytes: unread(),
}) {}

export type DataRecordChangeRow = RowOf<DataRecordChangeModel>;
