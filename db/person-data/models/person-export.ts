import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** `too_large`: more than an archive takes; `failed`: given up after repeated failures; `member_erased`: erased since. */
export type ExportFailure = 'too_large' | 'failed' | 'member_erased';

export class PersonExportModel extends tenantTable('person_exports', {
  uuid: column<string>(),
  memberId: column<number>(),
  requestedByMemberId: column<number>(),
  /** Whether it has what members do not see of themselves. */
  includesInternal: column<boolean>(),
  /** How long the archive is kept once it is complete. */
  keptDays: column<number>(),
  /** Attempts to build it that have begun. */
  attempts: column<number>(),
  /** The object of the archive: pending while it is stored; null before, and when it is gone. */
  objectId: column<number | null>(),
  rowCount: column<number>(),
  /** Files whose bytes are in the archive, and those that are not. */
  fileCount: column<number>(),
  leftOutCount: column<number>(),
  createdAt: column<Date>(),
  /** When it was complete or failed. */
  finishedAt: column<Date | null>(),
  expiresAt: column<Date | null>(),
  failureReason: column<ExportFailure | null>('code'),
}) {}

export type PersonExportRow = RowOf<PersonExportModel>;
