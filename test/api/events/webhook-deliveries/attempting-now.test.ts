import { beforeEach, describe, expect, it } from 'vitest';
import { claimAttempt } from '../../../../domain/events/webhook-deliveries/claim-attempt.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { hours } from '../../../support/lib/moved-clock.js';
import { stageWebhooks, type WebhookStage } from '../../../support/webhooks/webhook-stage.js';

const { api, workspace, otherWorkspace, asAdmin } = useApi();
let stage: WebhookStage;
beforeEach(async () => {
  stage = await stageWebhooks(workspace);
  await workspace.within((tx) => tx('webhook_deliveries').where({ status: 'pending' }).delete());
});

const below = () => `/event-rules/${stage.rule.id}/deliveries`;
const attempt = (id: number) => asAdmin('POST', `${below()}/${id}/attempt-now`);
const attemptPending = () => asAdmin('POST', `${below()}/attempt-pending`);
const later = () => new Date(Date.now() + hours(10));
const pokes = async (uuid: string) =>
  workspace.within((tx) => tx('outbox').where({ subject: uuid, run_type: 'deliverWebhook', action: 'poke' }));
const claim = (id: number) => {
  const clock = { now: () => new Date() };
  return claimAttempt({ db: workspace.database, clock, encryption: testEncryption }, stage.ref({ id }));
};

/** Deliveries that wait for their next attempt. */
async function waiting(count = 1) {
  const deliveries = await stage.happen(count);
  await workspace.within((tx) =>
    tx('webhook_deliveries')
      .whereIn(
        'id',
        deliveries.map(({ id }) => id),
      )
      .update({ next_attempt_at: later() }),
  );
  return deliveries;
}

async function one() {
  const [delivery] = await waiting();
  if (delivery === undefined) throw new Error('nothing was staged');
  return delivery;
}

describe('attempting a delivery now', () => {
  it('makes its next attempt due, and pokes its run', async () => {
    const { id, uuid } = await one();
    expect(await claim(id)).toMatchObject({ kind: 'not_due' });

    const answer = await attempt(id);

    expect(answer).toMatchObject({ status: 200, body: { id, status: 'pending' } });
    expect(Date.parse(answer.body.nextAttemptAt)).toBeLessThanOrEqual(Date.now());
    expect(await pokes(uuid)).toHaveLength(1);
    expect(await claim(id)).toMatchObject({ kind: 'claimed' });
  });

  it('leaves one alone that is being attempted', async () => {
    const [delivery] = await stage.happen();
    await claim(delivery?.id ?? 0);

    expect(await attempt(delivery?.id ?? 0)).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect(await pokes(delivery?.uuid ?? '')).toEqual([]);
  });

  it('asks a host that has never answered and pauses', async () => {
    const { id } = await one();
    await workspace.within((tx) => tx('webhook_hosts').update({ answered_at: null, next_try_at: later() }));

    await attempt(id);

    expect(await claim(id)).toMatchObject({ kind: 'claimed' });
  });

  it('is refused for one that is settled, or of a disabled rule', async () => {
    const [first, second] = await waiting(2);
    await asAdmin('POST', `${below()}/${first?.id}/cancel`);
    expect(await attempt(first?.id ?? 0)).toMatchObject({
      status: 409,
      body: { code: 'delivery_completed' },
    });
    await stage.changeRule({ enabled: false, disabled_at: new Date(), disabled_reason: 'failing' });

    expect(await attempt(second?.id ?? 0)).toMatchObject({ status: 409, body: { code: 'rule_disabled' } });
    expect(await attemptPending()).toMatchObject({ status: 409, body: { code: 'rule_disabled' } });
  });

  it('is not found by another rule', async () => {
    const { id } = await one();
    stage = await stageWebhooks(workspace, { eventType: 'call:started' });

    expect((await attempt(id)).status).toBe(404);
  });
});

describe('attempting all pending deliveries of a rule now', () => {
  it('makes those due that wait, pokes their runs behind what people wait for, and does so once', async () => {
    const [first, second] = await waiting(2);
    const [due] = await stage.happen();
    const [settled] = await waiting();
    await asAdmin('POST', `${below()}/${settled?.id}/cancel`);

    expect(await attemptPending()).toMatchObject({ status: 200, body: { attempted: 2, more: false } });

    expect(await pokes(first?.uuid ?? '')).toMatchObject([{ woken: true }]);
    expect(await pokes(second?.uuid ?? '')).toHaveLength(1);
    expect(await pokes(due?.uuid ?? '')).toEqual([]);
    expect(await claim(first?.id ?? 0)).toMatchObject({ kind: 'claimed' });
    expect((await attemptPending()).body).toEqual({ attempted: 0, more: false });
  });

  it('leaves other rules and tests alone', async () => {
    const { id } = await one();
    const other = await stageWebhooks(workspace, { eventType: 'call:started' });
    await workspace.within((tx) => tx('webhook_deliveries').where({ id }).update({ trigger: 'test' }));

    expect((await attemptPending()).body).toEqual({ attempted: 0, more: false });
    stage = other;
    expect((await attemptPending()).body).toEqual({ attempted: 0, more: false });
  });
});

describe('access', () => {
  let deliveryId: number;
  beforeEach(async () => {
    deliveryId = (await one()).id;
  });
  const writes = {
    method: 'POST',
    scope: 'event_rules:write',
    needsPermission: true,
    namesItem: true,
  } as const;
  describeAccess({ api, workspace, otherWorkspace }, ['a delivery', 'all of a rule'], () => [
    { ...writes, path: `${below()}/${deliveryId}/attempt-now` },
    { ...writes, path: `${below()}/attempt-pending` },
  ]);
});
