import type { BlankCells } from '../../../records/csv/cells.js';
import type { RowOutcome } from '../../../records/csv/import-tally.js';

export interface MemberImport {
  columns: readonly string[];
  /** Ids of the data types that the columns name. */
  dataTypeIds: readonly number[];
  newMemberRoleId: number;
  blankCells: BlankCells;
}

/** The outcome of a row, with the member that it is about unless it failed. */
export type MemberRowOutcome =
  | { status: 'created' | 'updated' | 'unchanged'; memberId: number }
  | Extract<RowOutcome, { status: 'failed' }>;
