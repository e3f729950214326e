import { beforeEach, describe, expect, it } from 'vitest';
import { startWebhookDeliveries } from '../../../../db/events/start-webhook-deliveries.js';
import { cancelDelivery } from '../../../../domain/events/webhook-deliveries/cancel-delivery.js';
import { type Claim, claimAttempt } from '../../../../domain/events/webhook-deliveries/claim-attempt.js';
import { leaseMs } from '../../../../domain/events/webhook-deliveries/limits.js';
import { recordAttempt } from '../../../../domain/events/webhook-deliveries/record-attempt.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { stageWebhooks, type WebhookStage } from '../../../support/webhooks/webhook-stage.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let workspace: TestWorkspace;
let clock: MovedClock;
let stage: WebhookStage;
beforeEach(async () => {
  clock = new MovedClock();
  workspace = await createWorkspace(suite.database.database);
  stage = await stageWebhooks(workspace, { url: 'https://receiver.example.com/hooks?token=1' });
});

const context = () => ({ db: workspace.database, clock, encryption: testEncryption });
const inMs = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
const happen = (count = 1) => stage.happen(count, clock.now());
const claim = (delivery: { id: number } | undefined) =>
  claimAttempt(context(), stage.ref({ id: delivery?.id ?? 0 }));
const kinds = (claims: Claim[]) => claims.map(({ kind }) => kind).sort();
const claimed = (claims: Claim[]) => claims.flatMap((one) => (one.kind === 'claimed' ? [one.attempt] : []));
const answer = async (given: Claim, statusCode: number) => {
  if (given.kind !== 'claimed') throw new Error(`it is ${given.kind}`);
  const result = { kind: 'answered', statusCode, durationMs: 5, body: '' } as const;
  return recordAttempt({ ...context(), random: () => 0 }, given.attempt, result);
};
const cancelled = (delivery: { id: number } | undefined) =>
  cancelDelivery(context(), stage.ref({ id: delivery?.id ?? 0 }));

const disabled = { enabled: false, disabled_at: new Date(), disabled_reason: 'by_member' };

describe('claimAttempt', () => {
  it('returns the request to send', async () => {
    const [delivery] = await happen();

    const given = await claim(delivery);

    expect(given).toMatchObject({
      kind: 'claimed',
      attempt: { number: 1, failures: 0, trigger: 'event', meanDurationMs: 0 },
      request: {
        url: 'https://receiver.example.com/hooks?token=1',
        body: expect.stringContaining('"event":"call:summary"'),
        secrets: [],
      },
    });
    const lease = { started_at: clock.now(), lease_until: inMs(leaseMs) };
    expect(await stage.attempts(delivery?.id ?? 0)).toMatchObject([
      { number: 1, ...lease, finished_at: null },
    ]);
    expect(await stage.deliveries()).toMatchObject([{ status: 'pending', attempt_count: 1 }]);
  });

  it('returns the valid secrets for the signature', async () => {
    const secret = 'a secret that is long enough';
    stage = await stageWebhooks(workspace, { secret, url: 'https://receiver.example.com/signed' });
    const [delivery] = await happen();

    expect(await claim(delivery)).toMatchObject({ request: { secrets: [secret] } });
  });

  it('begins one attempt of a delivery when it is called many times at once', async () => {
    const [delivery] = await happen();

    const claims = await Promise.all(Array.from({ length: 50 }, () => claim(delivery)));

    expect(claimed(claims)).toHaveLength(1);
    expect(new Set(kinds(claims))).toEqual(new Set(['claimed', 'under_way']));
    expect(await stage.attempts(delivery?.id ?? 0)).toHaveLength(1);
  });

  it('allows four requests under way to a receiver, over all its rules', async () => {
    const url = 'https://receiver.example.com/busy';
    const types = ['call:summary', 'call:started'] as const;
    const stages = await Promise.all(types.map((eventType) => stageWebhooks(workspace, { url, eventType })));
    const all = await Promise.all(
      stages.map(async (one) => (await one.happen(25, clock.now())).map((delivery) => one.ref(delivery))),
    );

    const claims = await Promise.all(all.flat().map((ref) => claimAttempt(context(), ref)));

    expect(claimed(claims)).toHaveLength(4);
    expect(kinds(claims).filter((kind) => kind === 'full')).toHaveLength(46);
  });

  it('allows another request when one of the four is answered', async () => {
    const deliveries = await happen(5);
    const claims = [];
    for (const delivery of deliveries) claims.push(await claim(delivery));
    expect(claims.at(-1)).toMatchObject({ kind: 'full' });

    await answer(claims[0] as Claim, 204);

    expect(await claim(deliveries.at(-1))).toMatchObject({ kind: 'claimed' });
  });

  it('counts an attempt as lost when its lease has ended, and not before', async () => {
    const deliveries = await happen(5);
    for (const delivery of deliveries.slice(0, 4)) await claim(delivery);
    clock.advance(leaseMs - 1);
    expect(await claim(deliveries[0])).toEqual({ kind: 'under_way', at: inMs(1) });
    expect(await claim(deliveries[4])).toMatchObject({ kind: 'full' });

    clock.advance(1);

    const second = { kind: 'claimed', attempt: { number: 2, failures: 0 } };
    expect(await claim(deliveries[0])).toMatchObject(second);
    expect(await claim(deliveries[4])).toMatchObject({ kind: 'claimed' });
    expect(await stage.attempts(deliveries[0]?.id ?? 0)).toMatchObject([
      { number: 1, error_code: 'lost', status_code: null, finished_at: clock.now() },
      { number: 2, error_code: null, finished_at: null },
    ]);
  });

  it('counts the fifth lost attempt in a row as a failure and waits as after a failure', async () => {
    const [delivery] = await happen();
    for (let number = 1; number <= 5; number += 1) {
      expect(await claim(delivery)).toMatchObject({ kind: 'claimed', attempt: { number, failures: 0 } });
      clock.advance(leaseMs);
    }

    const counted = await claim(delivery);

    const { next_attempt_at: at } = await stage.delivery(delivery?.id ?? 0);
    expect(counted).toEqual({ kind: 'not_due', at });
    expect((at?.getTime() ?? 0) - clock.now().getTime()).toBeGreaterThanOrEqual(5_000);
    expect(await claim(delivery)).toEqual({ kind: 'not_due', at });
    const codes = (await stage.attempts(delivery?.id ?? 0)).map(({ error_code }) => error_code);
    expect(codes).toEqual(['lost', 'lost', 'lost', 'lost', 'lost_repeatedly']);
    clock.advance(6_000);
    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', attempt: { number: 6, failures: 1 } });
    expect(await stage.ruleNow()).toMatchObject({ failing_since: null });
  });

  it('restarts the count of lost attempts after an answer', async () => {
    const [delivery] = await happen();
    for (let lost = 0; lost < 4; lost += 1) {
      await claim(delivery);
      clock.advance(leaseMs);
    }
    await answer(await claim(delivery), 503);
    clock.advance(6_000);
    await claim(delivery);
    clock.advance(leaseMs);

    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', attempt: { number: 7, failures: 1 } });
  });

  it('gives the delivery up when the schedule ends with lost attempts only', async () => {
    const [delivery] = await happen();
    const once = { ...context(), retryDelaysMs: [0] };
    for (let lost = 0; lost < 5; lost += 1) {
      await claimAttempt(once, stage.ref({ id: delivery?.id ?? 0 }));
      clock.advance(leaseMs);
    }

    const ended = await claimAttempt(once, stage.ref({ id: delivery?.id ?? 0 }));

    expect(ended).toEqual({ kind: 'settled', status: 'failed', attempts: 5 });
    const exhausted = { status: 'failed', failure_reason: 'attempts_exhausted' };
    expect(await stage.delivery(delivery?.id ?? 0)).toMatchObject(exhausted);
  });

  it('is followed by a recorded late answer even if the attempt was counted as a failure', async () => {
    const [delivery] = await happen();
    const claims: Claim[] = [];
    for (let lost = 0; lost < 5; lost += 1) {
      claims.push(await claim(delivery));
      clock.advance(leaseMs);
    }
    await claim(delivery);

    expect(await answer(claims[4] as Claim, 204)).toMatchObject({ kind: 'settled', status: 'delivered' });
  });

  it('returns not_due before the time of the attempt', async () => {
    const [delivery] = await happen();
    await answer(await claim(delivery), 503);
    clock.advance(4_999);
    expect(await claim(delivery)).toEqual({ kind: 'not_due', at: inMs(1) });

    clock.advance(1);

    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', attempt: { number: 2, failures: 1 } });
  });

  it('uses the receiver that the rule has at the time of the claim', async () => {
    const [delivery] = await happen();
    const url = 'https://receiver.example.com/moved';
    const other = await addEventRule(workspace, { url });
    await stage.changeRule({ webhook_endpoint_id: other.webhookEndpointId });

    expect(await claim(delivery)).toMatchObject({ request: { url } });
  });

  it('uses the new receiver when the rule gets it at the same time, and begins one attempt only', async () => {
    const [delivery] = await happen();
    const url = 'https://receiver.example.com/moved-now';
    const other = await addEventRule(workspace, { url });

    const claiming = await workspace.within(async (tx) => {
      await tx('event_rules')
        .where({ id: stage.rule.id })
        .update({ webhook_endpoint_id: other.webhookEndpointId });
      const begun = claim(delivery);
      await whenWaitedFor(tx);
      return { begun };
    });

    expect(await claiming.begun).toMatchObject({ kind: 'claimed', attempt: { number: 1 }, request: { url } });
    expect(await stage.attempts(delivery?.id ?? 0)).toMatchObject([
      { number: 1, webhook_endpoint_id: other.webhookEndpointId },
    ]);
  });

  it.each([
    { is: 'deleted', change: { deleted_at: new Date() }, status: 'cancelled', reason: 'rule_deleted' },
    { is: 'disabled', change: disabled, status: 'failed', reason: 'rule_disabled' },
  ])('settles the delivery of a rule that was $is in the meantime', async ({ change, status, reason }) => {
    const [delivery] = await happen();
    await stage.changeRule(change);

    expect(await claim(delivery)).toEqual({ kind: 'settled', status, attempts: 0 });

    expect(await stage.deliveries()).toMatchObject([
      { status, failure_reason: reason, next_attempt_at: null, completed_at: clock.now() },
    ]);
    expect(await stage.attempts(delivery?.id ?? 0)).toEqual([]);
  });

  it('claims a test although the rule is disabled', async () => {
    const [event] = await happen();
    await stage.changeRule(disabled);
    const [test] = await workspace.within((tx) =>
      startWebhookDeliveries(tx, {
        eventRuleId: stage.rule.id,
        eventIds: [event?.event_id ?? 0],
        trigger: 'test',
        requestedByMemberId: null,
        now: clock.now(),
      }),
    );

    expect(await claim(test)).toMatchObject({ kind: 'claimed', attempt: { trigger: 'test' } });
  });

  it('returns settled for a settled or missing delivery, and for one of another workspace', async () => {
    const [delivery] = await happen();
    await answer(await claim(delivery), 200);
    const other = await createWorkspace(suite.database.database);

    expect(await claim(delivery)).toEqual({ kind: 'settled', status: 'delivered', attempts: 1 });
    expect(await claim({ id: 987_654_321 })).toEqual({ kind: 'settled', status: 'cancelled', attempts: 0 });
    const foreign = { ...stage.ref({ id: delivery?.id ?? 0 }), workspaceId: other.workspaceId };
    expect(await claimAttempt(context(), foreign)).toMatchObject({ attempts: 0 });
  });
});

describe('cancelDelivery', () => {
  it('settles the delivery as cancelled', async () => {
    const [delivery] = await happen();

    expect(await cancelled(delivery)).toEqual({ kind: 'settled', status: 'cancelled' });

    expect(await stage.deliveries()).toMatchObject([
      { status: 'cancelled', failure_reason: 'run_cancelled', completed_at: clock.now() },
    ]);
    expect(await claim(delivery)).toEqual({ kind: 'settled', status: 'cancelled', attempts: 0 });
  });

  it('waits for the attempt under way until its lease ends', async () => {
    const [delivery] = await happen();
    await claim(delivery);
    expect(await cancelled(delivery)).toEqual({ kind: 'under_way', at: inMs(leaseMs) });

    clock.advance(leaseMs);

    expect(await cancelled(delivery)).toEqual({ kind: 'settled', status: 'cancelled' });
  });

  it('leaves a delivered one as delivered', async () => {
    const [delivery] = await happen();
    await answer(await claim(delivery), 204);

    expect(await cancelled(delivery)).toEqual({ kind: 'settled', status: 'delivered' });
  });
});
