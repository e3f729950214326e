import type { DataRecordRow } from '../../../../db/records/data-records.js';
import type { FieldValues } from '../../field-values.js';

/** A record to create, or the changes of an existing one. */
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

/** Actor, time and rules of a write. */
export interface WriteOptions {
  /** Null, or the id of an assistant, if the agent writes. */
  actorMemberId: number | null;
  now: Date;
  /** Region of phone numbers without a country code. */
  defaultRegion: string;
  /** Required values may be missing, because an agent gathers them one by one (docs/decisions/0012). */
  requiredLater?: boolean;
  /**
   * A record that is found by its external id moves to the named member, and is restored if it was retired. Only
   * allowed if `authorize` checks that the actor may write both members' records.
   */
  followsExternalIds?: boolean;
  /**
   * Refuses an item by throwing a DomainError, where that depends on the found record. Undefined where the caller has
   * checked that already; required, so that no check is left out by mistake.
   */
  authorize: ((item: RecordToSave, found: FoundRecord | undefined) => void) | undefined;
}
