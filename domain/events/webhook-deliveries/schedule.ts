const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const longestWaitMs = 24 * hour;

/** How long to wait before each attempt, after the one before; as many as are made. */
export const defaultRetryDelaysMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** A test is for somebody who watches: it is sent once. */
export const testDelaysMs: readonly number[] = [0];

export interface FailedAttempts {
  /** Attempts that failed so far, the latest included. */
  failures: number;
  /** How long the receiver asked to wait. */
  retryAfterMs?: number;
  now: Date;
}

/**
 * When an attempt that failed is followed by the next: never earlier than the schedule says nor than the receiver asked,
 * and up to a tenth of the delay later, so that what failed together does not come back together. What a receiver asks
 * for counts up to a day.
 *
 * @param random from 0 to 1
 * @returns undefined when the attempts are used up
 */
export function nextAttemptAt(
  delaysMs: readonly number[],
  { failures, retryAfterMs = 0, now }: FailedAttempts,
  random: () => number = Math.random,
): Date | undefined {
  const delayMs = delaysMs[failures];
  if (delayMs === undefined) return undefined;
  const scheduledMs = delayMs * (1 + random() / 10);
  return new Date(Math.ceil(now.getTime() + Math.max(scheduledMs, Math.min(retryAfterMs, longestWaitMs))));
}
