import { describe, expect, it } from 'vitest';
import {
  defaultRetryDelaysMs,
  nextAttemptAt,
} from '../../../../domain/events/webhook-deliveries/schedule.js';
import { hours, minutes } from '../../../support/lib/moved-clock.js';

const now = new Date('2030-01-01T00:00:00Z');
const delayAfter = (failures: number, random: number, retryAfterMs?: number) => {
  const asked = retryAfterMs === undefined ? {} : { retryAfterMs };
  const at = nextAttemptAt(defaultRetryDelaysMs, { failures, now, ...asked }, () => random);
  return at === undefined ? undefined : at.getTime() - now.getTime();
};

describe('nextAttemptAt', () => {
  it('allows ten attempts, with the documented delays between them', () => {
    const delays = [0, 5_000, minutes(5), minutes(30), ...[2, 5, 10, 14, 20, 24].map(hours)];
    expect(defaultRetryDelaysMs).toEqual(delays);
    for (const failures of [1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(delayAfter(failures, 0)).toBe(delays[failures]);
    expect(delayAfter(10, 0)).toBeUndefined();
  });

  it('adds a jitter of up to a tenth, and is never early', () => {
    for (let failures = 1; failures < 10; failures += 1) {
      const [soonest = 0, latest = 0] = [delayAfter(failures, 0), delayAfter(failures, 1)];
      expect(latest / soonest).toBeCloseTo(1.1);
      expect(delayAfter(failures, 0.37)).toBeGreaterThan(soonest);
      expect(delayAfter(failures, 0.37)).toBeLessThan(latest);
    }
  });

  it('follows a longer Retry-After, up to a day', () => {
    expect(delayAfter(1, 0, minutes(2))).toBe(minutes(2));
    expect(delayAfter(2, 0, minutes(2))).toBe(minutes(5));
    expect(delayAfter(1, 1, 5_200)).toBe(5_500);
    expect(delayAfter(1, 0, hours(1_000))).toBe(hours(24));
    expect(delayAfter(10, 0, minutes(2))).toBeUndefined();
  });
});
