import { isDeadlock, violatedConstraint } from '../../../../db/postgres-errors.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { withSavepoint } from '../../../../db/savepoint.js';
import type { Tx } from '../../../../db/tx.js';
import { InProgress } from '../../../lib/errors.js';
import type { RecordToSave } from './write-options.js';

const maxRounds = 10;
const keyIndexes = new Set(['data_records_external_id_key', 'data_records_single_key']);

/** Whether a concurrent write can claim the same key or unique value. An item that names its record has its place. */
export function mayCollide({ isCollection, fields }: DataTypeRow, items: readonly RecordToSave[]): boolean {
  if (fields.some(({ unique }) => unique === true)) return true;
  return items.some(
    ({ record, externalId }) => externalId != null || (!isCollection && record === undefined),
  );
}

function isContention(error: unknown): boolean {
  const constraint = violatedConstraint(error);
  return isDeadlock(error) || (constraint !== undefined && keyIndexes.has(constraint));
}

/**
 * Runs `work` in a savepoint, and again from the stored state after a concurrent write interfered.
 * @throws InProgress `record_contended` if they keep interfering
 */
export async function retryOnContention<T>(
  tx: Tx,
  work: () => Promise<T>,
  isRetried: (error: unknown) => boolean = isContention,
): Promise<T> {
  for (let round = 1; round <= maxRounds; round += 1) {
    try {
      return await withSavepoint(tx, work);
    } catch (error) {
      if (!isRetried(error)) throw error;
    }
  }
  throw new InProgress('record_contended', 'The record is being changed by someone else. Try again.');
}
