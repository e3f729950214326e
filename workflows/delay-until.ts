/**
 * How long to wait for a time that the database named, in milliseconds. Never nothing: where the worker's clock and
 * the server's differ, a run would spin.
 */
export function delayUntil(epochMs: number): number {
  return Math.max(epochMs - Date.now(), 1_000);
}
