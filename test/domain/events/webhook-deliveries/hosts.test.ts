import { beforeEach, describe, expect, it } from 'vitest';
import { startWebhookDeliveries } from '../../../../db/events/start-webhook-deliveries.js';
import { type Claim, claimAttempt } from '../../../../domain/events/webhook-deliveries/claim-attempt.js';
import { deferAttempt } from '../../../../domain/events/webhook-deliveries/defer-attempt.js';
import { leaseMs, probation, requestsPerHost } from '../../../../domain/events/webhook-deliveries/limits.js';
import {
  type AttemptResult,
  recordAttempt,
} from '../../../../domain/events/webhook-deliveries/record-attempt.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import {
  type StagedDelivery,
  stageWebhooks,
  type WebhookStage,
} from '../../../support/webhooks/webhook-stage.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let workspace: TestWorkspace;
let clock: MovedClock;
beforeEach(async () => {
  clock = new MovedClock();
  workspace = await createWorkspace(suite.database.database);
});

const context = () => ({ db: workspace.database, clock, encryption: testEncryption });
const claimOf = (stage: WebhookStage) => (delivery: { id: number } | undefined) =>
  claimAttempt(context(), stage.ref({ id: delivery?.id ?? 0 }));
const kinds = (claims: readonly Claim[]) => claims.map(({ kind }) => kind);
const ofKind = (claims: readonly Claim[], kind: Claim['kind']) => claims.filter((one) => one.kind === kind);
const inMs = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
const record = (claim: Claim | undefined, result: AttemptResult) => {
  if (claim?.kind !== 'claimed') throw new Error(`it is ${claim?.kind}`);
  const atOnce = { ...context(), retryDelaysMs: [0, 0, 0, 0, 0], random: () => 0 };
  return recordAttempt(atOnce, claim.attempt, result);
};
const answered = (statusCode: number) => ({ kind: 'answered', statusCode, durationMs: 5, body: '' }) as const;
const hostOf = async (stage: WebhookStage) =>
  workspace.within(async (tx) => {
    const endpoint = await tx('webhook_endpoints').where({ id: stage.rule.webhookEndpointId }).first();
    return { endpoint, host: await tx('webhook_hosts').where({ id: endpoint.webhook_host_id }).first() };
  });

/** Rules for the given URLs, each with its own event type and `count` deliveries. */
async function rulesFor(urls: readonly string[], count: number, hasAnswered: boolean) {
  const types = ['call:started', 'call:completed', 'call:summary', 'data_record:created'] as const;
  const stages = [];
  for (const [index, url] of urls.entries()) {
    const eventType = types[index] ?? 'call:summary';
    const stage = await stageWebhooks(workspace, { url, eventType, hasAnswered });
    stages.push({ stage, deliveries: await stage.happen(count, clock.now()) });
  }
  return stages;
}
const claimAll = async (stages: Awaited<ReturnType<typeof rulesFor>>) =>
  Promise.all(stages.flatMap(({ stage, deliveries }) => deliveries.map(claimOf(stage))));

describe('requests to a host', () => {
  const host = 'https://receiver.example.com';

  it.each([
    ['name', [`${host}/one`, `${host}:8443/two`, `${host}/?three`]],
    [
      'IPv6 address',
      ['https://[2606:4700::1]/one', 'https://[2606:4700::1]:8443/two', 'https://[2606:4700::1]/3'],
    ],
  ])(
    'are limited by one %s to eight at a time, over all URLs and ports, with many claims at once',
    async (_by, urls) => {
      const claims = await claimAll(await rulesFor(urls, 6, true));

      expect(ofKind(claims, 'claimed')).toHaveLength(requestsPerHost);
      expect(ofKind(claims, 'full')).toHaveLength(urls.length * 6 - requestsPerHost);
    },
  );

  it('leave room for another URL of the host while one URL hangs', async () => {
    const [hanging, healthy] = await rulesFor([`${host}/hangs`, `${host}/well`], 6, true);
    if (hanging === undefined || healthy === undefined) throw new Error('nothing is staged');
    expect(ofKind(await claimAll([hanging]), 'claimed')).toHaveLength(4);

    expect(ofKind(await claimAll([healthy]), 'claimed')).toHaveLength(4);
  });

  it('use no room of another host name or another workspace', async () => {
    await claimAll(await rulesFor([`${host}/one`, `${host}/two`], 6, true));
    const own = await rulesFor(['https://api.receiver.example.com/one'], 1, true);
    workspace = await createWorkspace(suite.database.database);
    const others = await rulesFor([`${host}/one`], 1, true);
    expect(kinds(await claimAll(others))).toEqual(['claimed']);
    expect(own).toHaveLength(1);
  });

  it('free their room when their leases end', async () => {
    const stages = await rulesFor([`${host}/one`, `${host}/two`, `${host}/three`], 4, true);
    await claimAll(stages.slice(0, 2));
    expect(ofKind(await claimAll(stages.slice(2)), 'claimed')).toEqual([]);
    clock.advance(leaseMs);

    expect(ofKind(await claimAll(stages.slice(2)), 'claimed')).toHaveLength(4);
  });
});

describe('a host that has never answered', () => {
  const urls = ['https://new.example.com/one', 'https://new.example.com:8443/two'];
  let one: WebhookStage;
  let stages: Awaited<ReturnType<typeof rulesFor>>;
  let claim: ReturnType<typeof claimOf>;
  beforeEach(async () => {
    stages = await rulesFor(urls, 10, false);
    [{ stage: one }] = stages as [(typeof stages)[number]];
    claim = claimOf(one);
  });
  const nth = (place: number): StagedDelivery => {
    const delivery = stages[0]?.deliveries[place];
    if (delivery === undefined) throw new Error('nothing is staged');
    return delivery;
  };
  const firstOf = () => nth(0);
  const secondOf = () => nth(1);
  /** Adds a test delivery of the first rule. */
  const addTest = async () => {
    const [test] = await workspace.within((tx) =>
      startWebhookDeliveries(tx, {
        eventRuleId: one.rule.id,
        eventIds: [firstOf().event_id],
        trigger: 'test',
        requestedByMemberId: null,
        now: clock.now(),
      }),
    );
    return test;
  };

  it('gets one request at a time over all URLs, with many claims at once', async () => {
    const claims = await claimAll(stages);

    expect(ofKind(claims, 'claimed')).toHaveLength(probation.requests);
    expect(ofKind(claims, 'full')).toHaveLength(19);
  });

  it('gets a pause after each failure that doubles up to five minutes', async () => {
    const [last] = stages[1]?.deliveries.slice(-1) ?? [];
    const pauses: number[] = [];
    for (const delivery of stages[0]?.deliveries ?? []) {
      const isEven = pauses.length % 2 === 0;
      const failed = isEven ? answered(500) : ({ kind: 'failed', code: 'timeout', durationMs: 5 } as const);
      await record(await claim(delivery), failed);
      const paused = await claimOf(stages[1]?.stage ?? one)(last);
      if (paused.kind !== 'on_probation') throw new Error(`it is ${paused.kind}`);
      pauses.push(paused.at.getTime() - clock.now().getTime());
      clock.advance(pauses.at(-1) ?? 0);
    }

    const seconds = [5, 10, 20, 40, 80, 160, 300, 300, 300, 300];
    expect(pauses).toEqual(seconds.map((count) => count * 1_000));
  });

  it('gets the normal number of requests once it has answered with 2xx', async () => {
    await record(await claim(firstOf()), answered(500));
    clock.advance(probation.firstPauseMs);
    await workspace.within((tx) => tx('webhook_endpoints').update({ next_slot_at: inMs(600_000) }));
    await record(await claim(firstOf()), answered(204));

    expect(await hostOf(one)).toMatchObject({
      host: { answered_at: clock.now(), failures: 0, next_try_at: null },
      endpoint: { next_slot_at: null },
    });
    await record(await claim(secondOf()), answered(500));
    expect((await hostOf(one)).host).toMatchObject({ failures: 0, next_try_at: null });
    expect(ofKind(await claimAll(stages), 'claimed')).toHaveLength(requestsPerHost);
  });

  it('gets a test during its pause, but not beside another request', async () => {
    const claimed = await claim(firstOf());
    const test = await addTest();
    expect(await claim(test)).toMatchObject({ kind: 'full' });
    await record(claimed, answered(500));
    expect(await claim(secondOf())).toEqual({ kind: 'on_probation', at: inMs(5_000) });

    await record(await claim(test), answered(500));
    expect((await hostOf(one)).host).toMatchObject({ failures: 1, next_try_at: inMs(5_000) });
    await record(await claim(await addTest()), answered(200));

    expect(await claim(secondOf())).toMatchObject({ kind: 'claimed' });
  });

  it('gets no failure counted for an attempt that was not sent or got lost', async () => {
    await record(await claim(firstOf()), { kind: 'not_sent', code: 'secret_unreadable' });
    await record(await claim(secondOf()), { kind: 'lost' });

    expect((await hostOf(one)).host).toMatchObject({ failures: 0, next_try_at: null, answered_at: null });
    expect(await claim(firstOf())).toMatchObject({ kind: 'claimed' });
  });

  it('gets one failure counted when a failure is recorded repeatedly', async () => {
    const claimed = await claim(firstOf());
    for (let times = 0; times < 5; times += 1) await record(claimed, answered(500));

    expect((await hostOf(one)).host).toMatchObject({ failures: 1 });
  });

  it('stays on probation in one workspace although it has answered in another', async () => {
    await record(await claim(firstOf()), answered(200));
    workspace = await createWorkspace(suite.database.database);
    stages = await rulesFor(urls, 2, false);

    expect(ofKind(await claimAll(stages), 'claimed')).toHaveLength(1);
  });

  it('gets deferred deliveries one after the other from its next try on', async () => {
    const at = inMs(60_000);
    const defer = (delivery: { id: number }) =>
      deferAttempt(context(), one.ref(delivery), { notBefore: at, random: () => 0 });

    expect(await defer(firstOf())).toEqual(at);
    for (const delivery of stages[0]?.deliveries ?? []) await defer(delivery);
    expect((await hostOf(one)).endpoint.next_slot_at).toEqual(inMs(11_000));
    expect((await one.delivery(secondOf().id)).next_attempt_at).toEqual(at);
  });
});
