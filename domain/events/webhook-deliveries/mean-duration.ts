const weightOfLatest = 0.25;
const notableMs = 20;

/**
 * The exponentially weighted mean duration of a receiver's requests in milliseconds; the latest request counts for a
 * quarter. A mean of 0 means unknown.
 *
 * @returns undefined if the change is too small to be stored
 */
export function meanAfter(meanMs: number, durationMs: number): number | undefined {
  const mean = Math.max(
    1,
    Math.round(meanMs === 0 ? durationMs : meanMs + (durationMs - meanMs) * weightOfLatest),
  );
  return Math.abs(mean - meanMs) > notableMs || meanMs === 0 ? mean : undefined;
}
