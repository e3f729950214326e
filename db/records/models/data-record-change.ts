import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class DataRecordChangeModel extends tenantTable('data_record_changes', {
  recordId: column<number>(),
  operation: column<'created' | 'updated' | 'retired' | 'restored'>(),
  before: json<Record<string, unknown> | null>(),
  after: json<Record<string, unknown> | null>(),
  actorMemberId: column<number | null>(),
  createdAt: column<Date>(),
}) {}

export type DataRecordChangeRow = RowOf<DataRecordChangeModel>;
