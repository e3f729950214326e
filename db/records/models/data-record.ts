import { column, json, tenantTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class DataRecordModel extends tenantTable('data_records', {
  uuid: column<string>(),
  dataTypeId: column<number>(),
  memberId: column<number>(),
  /** Copy of the type's `isCollection = false`, for the unique index that allows one record per member. */
  isSingle: column<boolean>(),
  externalId: column<string | null>('personal'),
  fieldValues: json<Record<string, unknown>>('personal'),
  /** Who may read and change it besides those with a permission: domain/records/data-records/record-access.ts. */
  accessMode: column<number>(),
  assignmentTaskId: column<number | null>(),
  /** Whether `retiredAt` is set, for indexes. */
  isRetired: unread(),
  retiredAt: column<Date | null>(),
  retiredByMemberId: column<number | null>(),
  retiredReason: column<string | null>('personal'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
  /** The size of `fieldValues`, in bytes. */
  valueBytes: unread(),
}) {}

export type DataRecordRow = RowOf<DataRecordModel>;
