import type { DataRecordView } from '../../../../domain/records/data-records/queries/files-of-records.js';
import type { DataRecordResponse } from './schemas.js';

export function presentDataRecord(row: DataRecordView): DataRecordResponse {
  const { retiredAt, retiredByMemberId, retiredReason: reason } = row;
  return { ...row, retirement: retiredAt && { retiredAt, retiredByMemberId, reason } };
}
