const weightOfLatest = 0.25;
const notableMs = 20;

/**
 * How long a receiver takes on average, in milliseconds, the latest request counting for a quarter; 0: nothing is known.
 *
 * @returns undefined where it has changed too little to be written down
 */
export function meanAfter(meanMs: number, durationMs: number): number | undefined {
  const mean = Math.max(
    1,
    Math.round(meanMs === 0 ? durationMs : meanMs + (durationMs - meanMs) * weightOfLatest),
  );
  return Math.abs(mean - meanMs) > notableMs || meanMs === 0 ? mean : undefined;
}
