import type { DataRecordChangeRow } from '../../../../db/records/data-record-changes.js';
import type { DataRecordChangeResponse } from './schemas.js';

export function presentDataRecordChange(row: DataRecordChangeRow): DataRecordChangeResponse {
  const { id, recordId, operation, before, after, actorMemberId, createdAt } = row;
  return { id, recordId, operation, before, after, actorMemberId, createdAt: createdAt.toISOString() };
}
