import type { DataRecordDetails } from '../../../../db/records/data-records.js';
import type { DataRecordView } from '../../../../domain/records/data-records/queries/files-of-records.js';
import type { DataRecordResponse } from './schemas.js';

export function presentDataRecord(row: DataRecordView): DataRecordResponse {
  return {
    id: row.id,
    dataTypeId: row.dataTypeId,
    memberId: row.memberId,
    fieldValues: row.fieldValues,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    accessMode: row.accessMode,
    ...(row.memberName === null ? {} : { memberName: row.memberName }),
    ...(row.externalId === null ? {} : { externalId: row.externalId }),
    ...(row.retiredAt === null ? {} : { retirement: presentRetirement(row, row.retiredAt) }),
    ...(row.files === undefined ? {} : { files: [...row.files] }),
    ...(row.operation === undefined ? {} : { operation: row.operation }),
    ...(row.filesAreCut ? { filesAreCut: true } : {}),
  };
}

function presentRetirement({ retiredByMemberId, retiredReason: reason }: DataRecordDetails, retiredAt: Date) {
  return { retiredAt: retiredAt.toISOString(), retiredByMemberId, reason };
}
