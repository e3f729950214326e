/** The largest expected difference between the service's clock and the carrier's. */
const CLOCK_TOLERANCE_MS = 30_000;
/** How long after its claim an attempt can have created its message or call, including tolerance for clocks. */
const ATTEMPT_MS = 3 * 60_000;

/** When an attempt can have created its message or call, in milliseconds; the carrier's dates have whole seconds. */
export function attemptWindow(claimedAt: Date): { earliest: number; latest: number } {
  const sentAfter = claimedAt.getTime() - CLOCK_TOLERANCE_MS;
  return { earliest: Math.floor(sentAfter / 1000) * 1000, latest: sentAfter + ATTEMPT_MS };
}
