import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export type MemberImportState = 'running' | 'completed' | 'cancelled' | 'failed';

/**
 * Why an import has ended early: `not_allowed`, who asked may not do it any more; `expired`, it took longer than a day;
 * `file_missing`, its file is not in the storage; `crashed`, its next rows were tried in vain too often; `member_erased`,
 * what is stored about who asked was erased.
 */
export type MemberImportFailure = 'not_allowed' | 'expired' | 'file_missing' | 'crashed' | 'member_erased';

export class MemberImportModel extends tenantTable('member_imports', {
  /** That of the request. */
  uuid: column<string>(),
  /** Who asked for it. */
  memberId: column<number>(),
  /** The credential by which it was asked for. */
  credentialKind: column<'api_key' | 'session' | 'member_token' | 'oauth_token' | 'visitor_token'>('code'),
  credentialId: column<number>(),
  /** Of the credential; null: all. */
  scopes: column<string[] | null>('codes'),
  /** The object of the file; null: it is deleted. */
  objectId: column<number | null>(),
  /** Every column of the file, in order: its name, or null if it is skipped. */
  layout: json<(string | null)[]>('configuration'),
  /** Messages that name the skipped columns. */
  columnsPassedOver: json<string[]>('personal'),
  /** The data types that the columns name. */
  dataTypeIds: json<number[]>('ids'),
  newMemberRoleId: column<number>(),
  blankCells: column<'keep' | 'clear'>('code'),
  /** Rows of the file, and those that are settled: written, or failed. */
  total: column<number>(),
  rowsDone: column<number>(),
  created: column<number>(),
  updated: column<number>(),
  unchanged: column<number>(),
  /** Numbers of all failed rows, and the messages of the first of them. */
  failedRows: json<number[]>('ids'),
  errors: json<string[]>('personal'),
  /** New members; without those that a release before 0234 has made. */
  createdMembers: json<number[]>('ids'),
  /** Existing members that were changed, some of them perhaps twice. */
  updatedMembers: json<number[]>('ids'),
  /** Attempts at the next rows that have not settled any. */
  attempts: column<number>(),
  state: column<MemberImportState>('code'),
  failureReason: column<MemberImportFailure | null>('code'),
  finishedAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type MemberImportRow = RowOf<MemberImportModel>;
