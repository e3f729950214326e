import { beforeEach, describe, expect, it } from 'vitest';
import {
  type ClaimedAttempt,
  claimAttempt,
} from '../../../../domain/events/webhook-deliveries/claim-attempt.js';
import { leaseMs } from '../../../../domain/events/webhook-deliveries/limits.js';
import {
  type AttemptResult,
  meanAfter,
  recordAttempt,
} from '../../../../domain/events/webhook-deliveries/record-attempt.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { days, hours, MovedClock } from '../../../support/lib/moved-clock.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { stageWebhooks, type WebhookStage } from '../../../support/webhooks/webhook-stage.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';
import { proveEmail } from '../../../support/workspace/prove-email.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let workspace: TestWorkspace;
let clock: MovedClock;
let stage: WebhookStage;
let deliveryId: number;
beforeEach(async () => {
  clock = new MovedClock();
  workspace = await createWorkspace(suite.database.database);
  await proveEmail(workspace, workspace.admin.memberId);
  stage = await stageWebhooks(workspace);
  const [delivery] = await stage.happen(1, clock.now());
  deliveryId = delivery?.id ?? 0;
});

const context = () => ({
  db: workspace.database,
  clock,
  encryption: testEncryption,
  retryDelaysMs: [0, 1_000, 2_000],
  random: () => 0,
});
async function claim(id = deliveryId): Promise<ClaimedAttempt> {
  const given = await claimAttempt(context(), stage.ref({ id }));
  if (given.kind !== 'claimed') throw new Error(`it is ${given.kind}`);
  return given.attempt;
}
const record = (attempt: ClaimedAttempt, result: AttemptResult) => recordAttempt(context(), attempt, result);
const answered = (statusCode: number, more: { body?: string; retryAfterMs?: number } = {}) =>
  ({ kind: 'answered', statusCode, durationMs: 120, body: '', ...more }) as const;
const inMs = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
const notices = () =>
  workspace.within((tx) => tx('event_rule_notices').where({ event_rule_id: stage.rule.id }));
const mean = () =>
  workspace.within((tx) =>
    tx('webhook_endpoints').where({ id: stage.rule.webhookEndpointId }).pluck('mean_duration_ms'),
  );

describe('recordAttempt', () => {
  it.each([200, 204, 299])('settles the delivery as delivered after status %i', async (statusCode) => {
    const attempt = await claim();

    const recorded = await record(attempt, answered(statusCode, { body: 'thanks' }));
    expect(recorded).toEqual({ kind: 'settled', status: 'delivered', attempts: 1 });

    expect(await stage.delivery(deliveryId)).toMatchObject({
      status: 'delivered',
      failure_reason: null,
      last_status_code: statusCode,
      next_attempt_at: null,
      completed_at: clock.now(),
    });
    const ended = { duration_ms: 120, error_code: null, response_body: 'thanks' };
    expect(await stage.attempts(deliveryId)).toMatchObject([
      { ...ended, finished_at: clock.now(), status_code: statusCode },
    ]);
    expect(await mean()).toEqual([120]);
  });

  it.each([301, 302, 400, 404, 500, 503])('schedules another attempt after status %i', async (statusCode) => {
    const attempt = await claim();

    expect(await record(attempt, answered(statusCode))).toEqual({ kind: 'again', at: inMs(1_000) });

    expect(await stage.delivery(deliveryId)).toMatchObject({
      status: 'pending',
      last_status_code: statusCode,
      next_attempt_at: inMs(1_000),
    });
    expect(await stage.ruleNow()).toMatchObject({ failing_since: clock.now() });
  });

  it('schedules another attempt without an answer, and keeps the latest status code', async () => {
    await record(await claim(), answered(503));
    clock.advance(1_000);

    const recorded = await record(await claim(), { kind: 'failed', code: 'timeout', durationMs: 15_000 });

    expect(recorded).toEqual({ kind: 'again', at: inMs(2_000) });
    expect(await stage.attempts(deliveryId)).toMatchObject([
      { status_code: 503 },
      { status_code: null, error_code: 'timeout', duration_ms: 15_000 },
    ]);
    expect(await stage.delivery(deliveryId)).toMatchObject({ last_status_code: 503 });
  });

  it('waits as long as Retry-After of the receiver', async () => {
    const recorded = await record(await claim(), answered(429, { retryAfterMs: hours(3) }));

    expect(recorded).toEqual({ kind: 'again', at: inMs(hours(3)) });
  });

  it('fails the delivery after the last attempt', async () => {
    for (const wait of [1_000, 2_000]) {
      await record(await claim(), answered(500));
      clock.advance(wait);
    }

    const recorded = await record(await claim(), answered(500));
    expect(recorded).toEqual({ kind: 'settled', status: 'failed', attempts: 3 });
    const exhausted = { failure_reason: 'attempts_exhausted', next_attempt_at: null };
    expect(await stage.delivery(deliveryId)).toMatchObject(exhausted);
  });

  it('does not count a lost attempt: the next one is due at once, and as many are left', async () => {
    expect(await record(await claim(), { kind: 'lost' })).toEqual({ kind: 'again', at: clock.now() });

    const next = await claim();

    expect(next).toMatchObject({ number: 2, failures: 0 });
    expect(await stage.ruleNow()).toMatchObject({ failing_since: null });
    expect(await record(next, answered(500))).toEqual({ kind: 'again', at: inMs(1_000) });
  });

  it('changes nothing when an attempt is recorded again, also with another result', async () => {
    const attempt = await claim();
    const first = await record(attempt, answered(500));
    clock.advance(500);

    const told = await Promise.all(Array.from({ length: 20 }, () => record(attempt, answered(500))));

    expect(new Set(told.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(first)]));
    clock.advance(500);
    await record(await claim(), answered(204));
    expect(await record(attempt, answered(410))).toMatchObject({ kind: 'settled', status: 'delivered' });
    expect(await stage.ruleNow()).toMatchObject({ enabled: true });
  });
});

describe('recordAttempt after the lease of the attempt', () => {
  let late: ClaimedAttempt;
  let current: ClaimedAttempt;
  beforeEach(async () => {
    late = await claim();
    clock.advance(leaseMs);
    current = await claim();
  });

  it('settles the delivery when the receiver accepted the event', async () => {
    expect(await record(late, answered(200))).toMatchObject({ kind: 'settled', status: 'delivered' });

    const recorded = await record(current, answered(500));
    expect(recorded).toEqual({ kind: 'settled', status: 'delivered', attempts: 2 });
    expect(await stage.attempts(deliveryId)).toMatchObject([
      { status_code: 200, error_code: null },
      { status_code: 500 },
    ]);
  });

  it('stores a failure in the attempt only', async () => {
    const before = await stage.delivery(deliveryId);

    await record(late, answered(500));

    expect(await stage.delivery(deliveryId)).toEqual(before);
    expect((await stage.attempts(deliveryId))[0]).toMatchObject({ status_code: 500, error_code: null });
  });
});

describe('recordAttempt on the rule of a delivery', () => {
  it('disables the rule on status 410 and notifies the workspace once', async () => {
    expect(await record(await claim(), answered(410))).toMatchObject({ status: 'failed' });

    expect(await stage.delivery(deliveryId)).toMatchObject({ failure_reason: 'gone', last_status_code: 410 });
    expect(await stage.ruleNow()).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    expect(await notices()).toHaveLength(1);
  });

  it('disables the rule after five days of failures only', async () => {
    await record(await claim(), answered(500));
    const failingSince = clock.now();
    clock.advance(days(2));
    await record(await claim((await stage.happen(1, clock.now()))[0]?.id), answered(500));
    clock.advance(days(3) - 1);
    const [another] = await stage.happen(1, clock.now());
    await record(await claim(another?.id), answered(500));
    expect(await stage.ruleNow()).toMatchObject({ enabled: true, failing_since: failingSince });

    clock.advance(1_000);
    expect(await record(await claim(another?.id), answered(500))).toMatchObject({ status: 'failed' });

    expect(await stage.delivery(another?.id ?? 0)).toMatchObject({ failure_reason: 'rule_disabled' });
    expect(await stage.ruleNow()).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    expect(await notices()).toHaveLength(1);
  });

  it('does not disable the rule for failures on fewer than three days', async () => {
    const fail = async () => {
      const [delivery] = await stage.happen(1, clock.now());
      return record(await claim(delivery?.id), answered(500));
    };
    await fail();
    clock.advance(days(6));
    await fail();

    expect(await fail()).toMatchObject({ kind: 'again' });
    expect(await stage.ruleNow()).toMatchObject({ enabled: true });

    clock.advance(days(1));
    expect(await fail()).toMatchObject({ kind: 'settled', status: 'failed' });
    expect(await stage.ruleNow()).toMatchObject({ enabled: false, disabled_reason: 'failing' });
  });

  it('restarts the time of failures after a success', async () => {
    await record(await claim(), answered(500));
    clock.advance(days(4));
    const [taken, failed] = await stage.happen(2, clock.now());
    await record(await claim(taken?.id), answered(200));
    expect(await stage.ruleNow()).toMatchObject({ failing_since: null });
    clock.advance(days(2));

    await record(await claim(failed?.id), answered(500));

    expect(await stage.ruleNow()).toMatchObject({ enabled: true, failing_since: clock.now() });
  });

  it('ignores failures of a receiver that the rule no longer has', async () => {
    const attempt = await claim();
    const other = await addEventRule(workspace, { url: 'https://receiver.example.com/moved' });
    await stage.changeRule({ webhook_endpoint_id: other.webhookEndpointId });

    expect(await record(attempt, answered(410))).toMatchObject({ kind: 'again' });

    expect(await stage.ruleNow()).toMatchObject({ enabled: true, failing_since: null });
  });

  it('disables the rule once when many attempts get status 410 at once', async () => {
    const more = await stage.happen(3, clock.now());
    const attempts = [await claim()];
    for (const { id } of more) attempts.push(await claim(id));

    await Promise.all(attempts.map((attempt) => record(attempt, answered(410))));

    expect(await notices()).toHaveLength(1);
    const reasons = (await stage.deliveries()).map(({ failure_reason }) => failure_reason);
    expect(reasons).toEqual(['gone', 'gone', 'gone', 'gone']);
  });
});

describe('meanAfter', () => {
  it('starts with the first duration, and then follows the latest ones', () => {
    expect(meanAfter(0, 200)).toBe(200);
    expect(meanAfter(200, 1_000)).toBe(400);
    expect(meanAfter(15_000, 10)).toBe(11_253);
  });

  it('is at least 1 once a duration is known', () => {
    expect(meanAfter(0, 0)).toBe(1);
  });

  it('returns undefined for a small change, which is not stored', () => {
    expect(meanAfter(200, 210)).toBeUndefined();
    expect(meanAfter(5, 6)).toBeUndefined();
  });
});
