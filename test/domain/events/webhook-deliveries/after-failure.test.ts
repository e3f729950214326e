import { describe, expect, it } from 'vitest';
import { afterFailure, type Failure } from '../../../../domain/events/webhook-deliveries/schedule.js';
import { days } from '../../../support/lib/moved-clock.js';

const now = new Date('2030-01-10T00:00:00Z');
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

describe('afterFailure', () => {
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
