import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { SavedRecord } from './write-options.js';

/** Returns the saved record of a single item. @throws the reason if the item was refused */
export function unwrapSaved(saved: SavedRecord | undefined): DataRecordRow {
  if (saved === undefined) throw new Error('an item was given and nothing is told of it');
  if (saved.status === 'failed') throw saved.reason;
  return saved.record;
}
