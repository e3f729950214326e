import type { Batch } from '../../../domain/kernel/retention.js';

/** Deletes batch by batch until nothing is left. @returns how many were deleted in each */
export async function allBatches<Place>(
  forget: (after: Place | undefined) => Promise<Batch<Place>>,
): Promise<number[]> {
  const deleted: number[] = [];
  for (let after: Place | undefined; ; ) {
    const batch: Batch<Place> = await forget(after);
    deleted.push(batch.deleted);
    after = batch.next;
    if (after === undefined) return deleted;
  }
}

/** As `allBatches`. @returns how many were deleted in all */
export async function allDeleted<Place>(
  forget: (after: Place | undefined) => Promise<Batch<Place>>,
): Promise<number> {
  return (await allBatches(forget)).reduce((sum, deleted) => sum + deleted, 0);
}
