import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { webhookActivities } from '../../../activities/events/webhooks.js';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import { leaseMs } from '../../../domain/events/webhook-deliveries/limits.js';
import { Encryption } from '../../../domain/lib/encryption.js';
import { testLoginSecret } from '../../support/api/login.js';
import { type DyingConnections, dyingConnections } from '../../support/faults/dying-connections.js';
import { testEncryption } from '../../support/lib/encryption.js';
import { catalogueWith } from '../../support/lib/models.js';
import { hours, MovedClock, minutes } from '../../support/lib/moved-clock.js';
import { testRequests } from '../../support/lib/requests.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import { installRuntime } from '../../support/temporal/install-runtime.js';
import { openRuns } from '../../support/temporal/open-runs.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';
import {
  type StagedDelivery,
  stageWebhooks,
  type WebhookStage,
} from '../../support/webhooks/webhook-stage.js';
import { testWebhooks } from '../../support/webhooks/webhooks.js';
import { createWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const scratch = scratchStorage();
let receiver: WebhookReceiver;
let clock: MovedClock;
let stage: WebhookStage;
let delivery: StagedDelivery;
let activities: ReturnType<typeof webhookActivities>;

beforeAll(async () => {
  installRuntime();
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());
afterAll(scratch.remove);

let paths = 0;
const path = () => `/hooks/${paths}`;
beforeEach(async () => {
  paths += 1;
  receiver.behave(() => ({}));
  clock = new MovedClock();
  const workspace = await createWorkspace(suite.database.database);
  stage = await stageWebhooks(workspace, { url: receiver.url(path()) });
  [delivery] = (await stage.happen(1, clock.now())) as [StagedDelivery];
  activities = startProcess();
});

/** Each call stands for a worker process with its own memory. */
function startProcess(encryption = testEncryption) {
  return webhookActivities({
    db: suite.database.database,
    clock,
    outreach: liveOutreach,
    models: catalogueWith(),
    logger: pino({ level: 'silent' }),
    runs: openRuns(),
    carrier: undefined,
    email: { relay: { send: async () => ({}) }, domain: undefined },
    mail: undefined,
    login: { secret: testLoginSecret, smsLimits: { perDay: 0, perCountryPerDay: 0 } },
    model: undefined,
    live: { signal: () => undefined },
    bridges: { commanded: () => undefined },
    bytesPerWorkspace: 0,
    storage: scratch.storage,
    domainRecords: { textsOf: async () => ({ kind: 'none' }) },
    crawl: { source: { fetch: async () => ({ kind: 'failed', code: 'connection' }) }, delayMs: 0 },
    fileAddresses: { addressOf: () => '' },
    webhooks: { ...testWebhooks([0, 1_000, 2_000]), encryption },
    requests: testRequests(),
    publicUrl: 'http://localhost',
  });
}

interface Ran {
  status?: string;
  type?: string;
  retryMs?: number;
}

async function run(environment = new MockActivityEnvironment(), process = activities): Promise<Ran> {
  try {
    return (await environment.run(process.deliverWebhook, stage.ref(delivery))) as Ran;
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) return { type: 'crashed' };
    return { type: error.type ?? '', retryMs: Number(error.nextRetryDelay) };
  }
}

/** Runs the activity as Temporal would, at the time of each retry, until it completes. */
async function runToItsEnd(): Promise<Ran> {
  for (let times = 0; times < 20; times += 1) {
    const ran = await run();
    if (ran.status !== undefined) return ran;
    clock.advance(ran.retryMs ?? 1_000);
  }
  throw new Error('it does not end');
}

const posted = () => receiver.received(path());
const ids = () => new Set(posted().map(({ headers }) => headers['webhook-id']));

describe('deliverWebhook', () => {
  it('fails with a code and with the delay until the next attempt', async () => {
    receiver.behave(() => ({ status: 503, body: 'secret words of a receiver' }));

    const failure: ApplicationFailure = await new MockActivityEnvironment()
      .run(activities.deliverWebhook, stage.ref(delivery))
      .then(undefined, (error) => error);

    expect(failure).toMatchObject({ type: 'http_503', message: 'attempt 1: http_503', nonRetryable: false });
    expect(Number(failure.nextRetryDelay)).toBeGreaterThanOrEqual(1_000);
    expect(Number(failure.nextRetryDelay)).toBeLessThanOrEqual(1_100);
    expect(JSON.stringify(failure)).not.toContain('secret words');
  });

  it('posts an event once, with many executions at once in two processes', async () => {
    const processes = [startProcess(), startProcess()];

    const ran = await Promise.all(
      Array.from({ length: 50 }, (_, index) => run(new MockActivityEnvironment(), processes[index % 2])),
    );

    expect(posted()).toHaveLength(1);
    expect(ran).toContainEqual({ status: 'delivered', attempts: 1 });
    expect(await stage.attempts(delivery.id)).toHaveLength(1);
  });

  it('does not post before the time of the attempt', async () => {
    receiver.behave(() => ({ status: posted().length === 1 ? 503 : 204 }));
    const { retryMs = 0 } = await run();
    clock.advance(retryMs - 200);

    expect(await run()).toEqual({ type: 'not_due', retryMs: 200 });
    clock.advance(200);

    expect(await run()).toEqual({ status: 'delivered', attempts: 2 });
  });

  it('counts the attempt of a worker that is shut down as lost, and makes the next one at once', async () => {
    const environment = new MockActivityEnvironment();
    receiver.behave(() => {
      environment.cancel();
      return undefined;
    });

    expect(await run(environment)).toMatchObject({ type: 'lost', retryMs: 100 });
    receiver.behave(() => ({}));

    expect(await run()).toEqual({ status: 'delivered', attempts: 2 });
    expect(await stage.attempts(delivery.id)).toMatchObject([{ error_code: 'lost' }, { status_code: 204 }]);
  });
});

describe('deliverWebhook to a host that has never answered', () => {
  /** Runs the deliveries in two workers, as Temporal would. */
  const runAll = (deliveries: StagedDelivery[]) => {
    const processes = [startProcess(), startProcess()];
    return Promise.all(
      deliveries.map(async (one, index): Promise<Ran> => {
        const work = processes[index % 2]?.deliverWebhook ?? activities.deliverWebhook;
        return new MockActivityEnvironment().run(work, stage.ref(one)).then(
          (ran) => ran as Ran,
          (error: ApplicationFailure) => ({
            type: error.type ?? 'crashed',
            retryMs: Number(error.nextRetryDelay),
          }),
        );
      }),
    );
  };
  let deliveries: StagedDelivery[];
  let own: WebhookReceiver;
  beforeEach(async () => {
    own = await startWebhookReceiver();
    const workspace = await createWorkspace(suite.database.database);
    stage = await stageWebhooks(workspace, { url: own.url(), hasAnswered: false });
    deliveries = await stage.happen(20, clock.now());
  });
  afterEach(() => own.close());

  it('posts one at a time until the host has answered, and then at normal speed', async () => {
    const atOnce: number[] = [];
    own.behave(async (_webhook, number) => {
      atOnce.push(own.maxAtOnce);
      // Gives the other deliveries time to arrive as well.
      if (number === 1) await delay(200);
      return {};
    });

    const types: (string | undefined)[] = [];
    for (let left = deliveries; left.length > 0; clock.advance(minutes(1))) {
      const ran = await runAll(left);
      types.push(...ran.map(({ type }) => type));
      left = left.filter((_, index) => ran[index]?.status !== 'delivered');
    }

    expect(atOnce[0]).toBe(1);
    expect(types).not.toContain('receiver_on_probation');
    expect(own.received()).toHaveLength(20);
    expect(own.maxAtOnce).toBeLessThanOrEqual(4);
  });

  it('defers the others once one has failed, and then posts one by one', async () => {
    own.behave(() => ({ status: 500 }));

    const ran = await runAll(deliveries);

    expect(own.received()).toHaveLength(1);
    expect(ran.map(({ type }) => type)).toContain('receiver_on_probation');
    for (const { type, retryMs = 0 } of ran) {
      if (type === 'receiver_on_probation') expect(retryMs).toBeGreaterThanOrEqual(5_000);
    }
    clock.advance(hours(1));
    await runAll(deliveries);
    expect(own.received()).toHaveLength(2);
    expect(own.maxAtOnce).toBe(1);
  });
});

describe('deliverWebhook with an unreadable signing secret', () => {
  const otherKey = new Encryption('another encryption key of tests, of more than 32 characters');
  beforeEach(async () => {
    const workspace = await createWorkspace(suite.database.database);
    stage = await stageWebhooks(workspace, { url: receiver.url(path()), secret: 'a signing secret' });
    [delivery] = (await stage.happen(1, clock.now())) as [StagedDelivery];
    activities = startProcess(otherKey);
  });

  it('never posts unsigned, uses up its attempts, and does not count a failure of the rule', async () => {
    const failed = await run();

    expect(failed.type).toBe('secret_unreadable');
    expect(failed.retryMs).toBeGreaterThanOrEqual(1_000);
    expect(await stage.ruleNow()).toMatchObject({ enabled: true, failing_since: null });
    clock.advance(failed.retryMs ?? 0);
    expect(await runToItsEnd()).toEqual({ status: 'failed', attempts: 3 });
    expect(posted()).toEqual([]);
    expect(await stage.attempts(delivery.id)).toMatchObject(
      Array.from({ length: 3 }, () => ({ error_code: 'secret_unreadable', duration_ms: null })),
    );
  });

  it('posts as soon as the secret can be read', async () => {
    const { retryMs = 0 } = await run();
    clock.advance(retryMs);

    expect(await run(undefined, startProcess())).toEqual({ status: 'delivered', attempts: 2 });
    expect(posted()[0]?.headers).toHaveProperty('webhook-signature');
  });
});

describe('deliverWebhook with a lost connection to the database', () => {
  let dying: DyingConnections;
  beforeEach(() => {
    dying = dyingConnections();
  });
  afterEach(() => dying.restore());

  it.each(['before', 'after'] as const)(
    'posts the event once when the connection is lost %s a message',
    async (when) => {
      let last = 0;
      for (let number = 1; last === 0; number += 1) {
        [delivery] = (await stage.happen(1, clock.now())) as [StagedDelivery];
        const before = posted().length;
        dying.dieAt(number, when);

        const first = await run();
        if (dying.sent < number) last = number;
        dying.dieAt(0, when);
        const ended = first.status === undefined ? await runToItsEnd() : first;

        expect({ number, ended }).toEqual({
          number,
          ended: { status: 'delivered', attempts: expect.any(Number) },
        });
        expect({ number, posts: posted().length - before }).toEqual({ number, posts: 1 });
      }
      expect(last).toBeGreaterThan(4);
      expect(ids().size).toBe(posted().length);
    },
  );

  it('posts the event again with the same id when the database is away for longer than an answer is kept', async () => {
    const away = vi.spyOn(suite.database.database, 'inWorkspace');
    receiver.behave(() => {
      away.mockRejectedValue(new Error('away'));
      return {};
    });
    expect(await run()).toEqual({ type: 'crashed' });
    away.mockRestore();
    receiver.behave(() => ({}));

    expect(await run()).toMatchObject({ type: 'under_way' });
    clock.advance(leaseMs);

    expect(await run()).toEqual({ status: 'delivered', attempts: 2 });
    expect(posted()).toHaveLength(2);
    expect(ids().size).toBe(1);
  });
});
