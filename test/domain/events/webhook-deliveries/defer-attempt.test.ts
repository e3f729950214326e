import { beforeEach, describe, expect, it } from 'vitest';
import { deferAttempt } from '../../../../domain/events/webhook-deliveries/defer-attempt.js';
import { queueOfReceiver } from '../../../../domain/events/webhook-deliveries/limits.js';
import { MovedClock, minutes } from '../../../support/lib/moved-clock.js';
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
let stage: WebhookStage;
let delivery: StagedDelivery;
beforeEach(async () => {
  clock = new MovedClock();
  workspace = await createWorkspace(suite.database.database);
  stage = await stageWebhooks(workspace);
  [delivery] = (await stage.happen(1, clock.now())) as [StagedDelivery];
});

const context = () => ({ db: workspace.database, clock });

/** How far in the future the delivery is rescheduled, in milliseconds. */
async function defer(one: { id: number } = delivery, random = 0): Promise<number> {
  const at = await deferAttempt(context(), stage.ref(one), { random: () => random });
  return at.getTime() - clock.now().getTime();
}
const change = (table: string, values: object) => workspace.within((tx) => tx(table).update(values));
const isKnownToTake = (milliseconds: number) =>
  change('webhook_endpoints', { mean_duration_ms: milliseconds });
/** The delays that `count` new deliveries get when they are deferred at once over fifty connections, sorted. */
async function places(count: number): Promise<number[]> {
  const waiting = await stage.happen(count, clock.now());
  const found: number[] = [];
  const ask = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) found.push(await defer(one));
  };
  await Promise.all(Array.from({ length: 50 }, ask));
  return found.sort((one, other) => one - other);
}

describe('deferAttempt', () => {
  it('spaces slots by a quarter of the mean duration of the receiver, starting one second away', async () => {
    await isKnownToTake(2_000);

    expect(await places(4)).toEqual([1_000, 1_000, 1_500, 2_000]);
    clock.advance(1_900);
    expect(await places(3)).toEqual([1_000, 1_100, 1_600]);
    clock.advance(60_000);
    expect(await places(3)).toEqual([1_000, 1_000, 1_500]);
  });

  it('assumes a mean duration of one second for a receiver that has not answered yet', async () => {
    expect(await places(6)).toEqual([1_000, 1_000, 1_000, 1_000, 1_250, 1_500]);
  });

  it('adds a jitter of up to one second', async () => {
    expect(await defer(delivery, 0.999)).toBe(1_999);
  });

  it('gives each delivery its own slot when many are deferred at once', async () => {
    await isKnownToTake(8_000);

    expect(await places(50)).toEqual(Array.from({ length: 50 }, (_, index) => (index + 1) * 2_000));
  });

  it('schedules ten deliveries a second beyond the first five minutes of the queue', async () => {
    await isKnownToTake(15_000);

    const found = await places(600);

    // All slots of the first five minutes are used. Behind them, deliveries try in vain ten times a second.
    const near = found.filter((place) => place <= queueOfReceiver.nearMs);
    expect(near).toEqual(Array.from({ length: 80 }, (_, index) => (index + 1) * 3_750));
    const far = found.slice(near.length + 1);
    expect(far).toEqual(far.map((_, index) => (found[near.length] ?? 0) + (index + 1) * 100));
  }, 60_000);

  it('schedules at most forty deliveries a second for a fast receiver', async () => {
    await isKnownToTake(4);

    const found = await places(100);

    expect(found.at(-1)).toBe(100 * 25);
  });

  it('never defers longer than half an hour', async () => {
    await isKnownToTake(15_000);
    const { nearMs, stepMs, maxMs } = queueOfReceiver;
    await change('webhook_endpoints', { next_slot_at: new Date(clock.now().getTime() + maxMs - 150) });

    expect(await places(3)).toEqual([maxMs - 50, maxMs, maxMs]);
    // The number of deliveries that ten a second allow in that time, after the first five minutes.
    expect((maxMs - nearMs) / stepMs.far).toBe(15_000);
  });

  it('never moves an attempt forward that is due later', async () => {
    const due = new Date(clock.now().getTime() + minutes(30));
    await change('webhook_deliveries', { next_attempt_at: due });

    expect(await defer()).toBe(minutes(30));
    expect((await stage.delivery(delivery.id)).next_attempt_at).toEqual(due);
  });

  it('leaves a settled delivery unchanged, and defers by the minimum when the rule is missing', async () => {
    const cancelled = { status: 'cancelled', completed_at: clock.now(), next_attempt_at: null };
    await change('webhook_deliveries', cancelled);

    expect(await defer()).toBe(1_000);
    expect(await stage.delivery(delivery.id)).toMatchObject({ status: 'cancelled', next_attempt_at: null });
    expect(await defer({ id: 0 })).toBe(1_000);
    const elsewhere = { ...stage.ref(delivery), ruleId: 987_654 };
    expect(await deferAttempt(context(), elsewhere, { random: () => 0 })).toEqual(
      new Date(clock.now().getTime() + 1_000),
    );
  });
});
