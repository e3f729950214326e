import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class DataRecordModel extends tenantTable('data_records', {
  uuid: column<string>(),
  dataTypeId: column<number>(),
  memberId: column<number>(),
  /** Copy of the type's `isCollection = false`, for the unique index that allows one record per member. */
  isSingle: column<boolean>(),
  externalId: column<string | null>(),
  fieldValues: json<Record<string, unknown>>(),
  /** Who may read and change it besides those with a permission: domain/records/data-records/record-access.ts. */
  accessMode: column<number>(),
  assignmentTaskId: column<number | null>(),
  retiredAt: column<Date | null>(),
  retiredByMemberId: column<number | null>(),
  retiredReason: column<string | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type DataRecordRow = RowOf<DataRecordModel>;
