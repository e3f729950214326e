import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { SavedRecord } from './write-options.js';

/** The record that was written alone. @throws why it was not */
export function unwrapSaved(saved: SavedRecord | undefined): DataRecordRow {
  if (saved === undefined) throw new Error('an item was given and nothing is told of it');
  if (saved.status === 'failed') throw saved.reason;
  return saved.record;
}
