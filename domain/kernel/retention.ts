/** What a batch of old rows has deleted, and the place of the next one; undefined: nothing is left. */
export interface Batch<Place = true> {
  deleted: number;
  next: Place | undefined;
}

/** A batch that begins where the one before did, because what was found there is deleted. */
export function batchOf(deleted: number, limit: number): Batch {
  return { deleted, next: deleted < limit ? undefined : true };
}

/** The bounds of what a workspace may set, in days. */
export const retentionDays = { min: 7, most: 3_650 } as const;
