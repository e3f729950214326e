import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  defaultRetryDelaysMs,
  type Failure,
  nextAttemptAt,
} from '../../../../domain/events/webhook-deliveries/schedule.js';
import { inDelivery } from '../../../../workflows/deliver-webhook.js';
import { days, hours, minutes } from '../../../support/lib/moved-clock.js';

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

it('the details of a run say the default schedule in words', () => {
  const [, delays = ''] = /up to ten attempts, the next (.+) after a failed one/.exec(inDelivery) ?? [];
  const unitMs: Record<string, number> = { second: 1_000, minute: minutes(1), hour: hours(1) };
  const told = [...delays.matchAll(/(\d+)(?: (second|minute))?/g)];
  const toldMs = told.map(([, count, unit = 'hour']) => Number(count) * (unitMs[unit] ?? 0));

  expect([0, ...toldMs]).toEqual(defaultRetryDelaysMs);
  expect(defaultRetryDelaysMs).toHaveLength(10);
});

describe('afterFailure', () => {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const following = (failure: Partial<Failure>) =>
    afterFailure(
      {
        trigger: 'event',
        statusCode: 503,
        failures: 1,
        failingSince: null,
        failingDays: 3,
        ofReceiver: true,
        now,
        ...failure,
      },
      [0, 1_000],
      () => 0,
    );
  const again = { kind: 'again', at: new Date(now.getTime() + 1_000) };

  it('schedules the next attempt until the schedule is used up', () => {
    expect(following({})).toEqual(again);
    expect(following({ statusCode: null })).toEqual(again);
    expect(following({ failures: 2 })).toEqual({ kind: 'given_up', reason: 'attempts_exhausted' });
  });

  it('gives up and disables the rule when the receiver answers 410', () => {
    const gone = { kind: 'given_up', reason: 'gone', disable: 'gone' };
    expect(following({ statusCode: 410 })).toEqual(gone);
    expect(following({ statusCode: 410, trigger: 'redelivery' })).toEqual(gone);
    expect(following({ statusCode: 410, failures: 2 })).toEqual(gone);
  });

  it('does not disable the rule for a failure of a receiver that the rule no longer has', () => {
    expect(following({ statusCode: 410, ofReceiver: false })).toEqual(again);
    expect(following({ failingSince: ago(days(9)), ofReceiver: false })).toEqual(again);
  });

  it('disables a rule that has only failed for five days', () => {
    const failing = { kind: 'given_up', reason: 'rule_disabled', disable: 'failing' };
    expect(following({ failingSince: ago(days(5)) })).toEqual(failing);
    expect(following({ failingSince: ago(days(6)), trigger: 'redelivery', failures: 2 })).toEqual(failing);
    expect(following({ failingSince: ago(days(5) - 1) })).toEqual(again);
    expect(following({ failingSince: ago(days(9)), failingDays: 2 })).toEqual(again);
  });

  it('does not retry a test and never disables its rule', () => {
    const exhausted = { kind: 'given_up', reason: 'attempts_exhausted' };
    expect(following({ trigger: 'test' })).toEqual(exhausted);
    expect(following({ trigger: 'test', failingSince: ago(days(9)) })).toEqual(exhausted);
    expect(following({ trigger: 'test', statusCode: 410 })).toEqual({ kind: 'given_up', reason: 'gone' });
  });
});
