/**
 * The maximum time between an event's `createdAt` and its commit. Import events carry the time at which the import
 * began; the value includes clock differences between processes.
 */
export const storedWithinMs = 3_600_000;
