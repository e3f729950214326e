import type { FileReader } from '../../../../db/files/readable-files.js';
import type { DataRecordRow } from '../../../../db/records/data-records.js';
import type { FieldValues } from '../../field-values.js';

export interface RecordToSave {
  /** The record's member. The caller has checked that it is a person of the workspace. */
  memberId: number;
  /** True if the request named no member: a record with the external id may then belong to another member. */
  memberIsDefault?: boolean;
  externalId?: string | null;
  /** On an update, omitted fields keep their values and null clears a field. */
  fieldValues: FieldValues;
  assignmentTaskId?: number | null;
  accessMode?: number;
  /** The record to change, locked by the transaction; without it, the record is looked up by its keys. */
  record?: DataRecordRow;
}

/** The existing record, and how it was found. */
export interface FoundRecord {
  record: DataRecordRow;
  by: 'record' | 'externalId' | 'single';
  /** The record of the item's member in a type that holds one record for each member. */
  single: DataRecordRow | undefined;
}

export interface WriteOptions {
  /** Null, or the id of an assistant, if the agent writes. */
  actorMemberId: number | null;
  now: Date;
  defaultRegion: string;
  /**
   * By whose right to read files are put into records, and whom it belongs to, so that a member gives itself nothing.
   * Null: the credential lacks the scope of reading files.
   */
  fileGiver: FileReader | null;
  /** Required values may be missing, because an agent gathers them one by one (docs/workflows.md). */
  requiredLater?: boolean;
  /** A known external id moves and restores its record. `authorize` has to check the records of both members then. */
  followsExternalIds?: boolean;
  /** Refuses an item by a DomainError. Required, so that no check is forgotten: undefined if the caller has checked. */
  authorize: ((item: RecordToSave, found: FoundRecord | undefined) => void) | undefined;
}
