import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { DomainError, FieldError } from '../../lib/errors.js';
import type { FieldValues } from '../field-values.js';

/** One record to be written: a new one, or what changes of one there is. */
export interface RecordToSave {
  /** Whose it is. The caller has made sure that there is such a person. */
  memberId: number;
  /** Nobody named that member: a record that the external id leads to may be another's. */
  memberIsDefault?: boolean;
  externalId?: string | null;
  /** On a change, what is left out stays, and null empties. */
  fieldValues: FieldValues;
  assignmentTaskId?: number | null;
  accessMode?: number;
  /** The record to change, which the transaction holds: it is not looked for. */
  record?: DataRecordRow;
}

/** The record that is there already, and what led to it. */
export interface FoundRecord {
  record: DataRecordRow;
  by: 'record' | 'externalId' | 'single';
}

/** Who writes, when, and how. */
export interface WriteOptions {
  /** No one in particular, or an assistant, when the agent does. */
  actorMemberId: number | null;
  now: Date;
  /** Where phone numbers without a country code belong. */
  defaultRegion: string;
  /** Required values may come later: what an agent gathers bit by bit (docs/decisions/0012). */
  requiredLater?: boolean;
  /**
   * A record that is found by its external id is the member's who is named, and is in use again if it was retired. Only
   * where `admit` has made sure that the writer may write both.
   */
  followsExternalIds?: boolean;
  /** Refuses an item, by throwing a DomainError: what depends on the record that is there, which nobody else changes. */
  authorize?: (item: RecordToSave, found: FoundRecord | undefined) => void;
}

/** What became of an item. Of those that failed nothing was written. */
export type SavedRecord =
  | { status: 'created' | 'updated' | 'unchanged'; record: DataRecordRow }
  | { status: 'failed'; errors: FieldError[]; code: string; reason: DomainError };
