const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const longestWaitMs = 24 * hour;

/** Delays before the attempts, each after the previous one; the length is the number of attempts. */
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

/** A test is sent once, because a person watches its result. */
export const testDelaysMs: readonly number[] = [0];

export interface FailedAttempts {
  /** Number of failed attempts so far, the latest included. */
  failures: number;
  /** The delay that the receiver requested. */
  retryAfterMs?: number;
  now: Date;
}

/**
 * When to retry a failed attempt: not before the delay of the schedule and the delay that the receiver requested (at
 * most a day). A jitter of up to a tenth of the scheduled delay spreads attempts that failed together.
 *
 * @param random from 0 to 1
 * @returns undefined if the attempts are used up
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
