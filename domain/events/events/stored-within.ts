/**
 * The longest time between an event's `createdAt` and its commit. The events of an import carry the time at which the import
 * began; differences between the clocks of processes are included.
 */
export const storedWithinMs = 3_600_000;
