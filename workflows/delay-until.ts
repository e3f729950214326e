/**
 * Milliseconds until a time that the database has set; at least a second, because a run would spin if the worker's
 * clock was ahead of the database's.
 */
export function delayUntil(epochMs: number): number {
  return Math.max(epochMs - Date.now(), 1_000);
}
