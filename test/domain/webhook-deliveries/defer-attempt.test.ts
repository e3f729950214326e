import { beforeEach, describe, expect, it } from 'vitest';
import { deferAttempt } from '../../../domain/webhook-deliveries/defer-attempt.js';
import { longestDeferralMs } from '../../../domain/webhook-deliveries/limits.js';
import { createWorkspace, type TestWorkspace } from '../../support/factories.js';
import { MovedClock } from '../../support/moved-clock.js';
import { useWorkspace } from '../../support/use-workspace.js';
import { stageWebhooks, type WebhookStage } from '../../support/webhook-stage.js';

const suite = useWorkspace();
let workspace: TestWorkspace;
let clock: MovedClock;
let stage: WebhookStage;
beforeEach(async () => {
  clock = new MovedClock();
  workspace = await createWorkspace(suite.database.database);
  stage = await stageWebhooks(workspace);
});

/** How far away the place in the queue is. */
async function defer(): Promise<number> {
  const slot = await deferAttempt({ db: workspace.database, clock }, stage.ref({ id: 0 }));
  return slot.getTime() - clock.now().getTime();
}
const isKnownToTake = (milliseconds: number) =>
  workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    tx('webhook_endpoints')
      .where({ id: stage.rule.webhookEndpointId })
      .update({ mean_duration_ms: milliseconds }),
  );

describe('putting an attempt off', () => {
  it('gives places as far apart as it takes until one of four requests is answered', async () => {
    await isKnownToTake(2_000);

    expect([await defer(), await defer(), await defer()]).toEqual([500, 1_000, 1_500]);
    clock.advance(1_400);
    expect(await defer()).toBe(600);
    clock.advance(60_000);
    expect(await defer()).toBe(500);
  });

  it('expects a second of a receiver that has not answered yet', async () => {
    expect([await defer(), await defer()]).toEqual([250, 500]);
  });

  it('gives each a place of its own, however many ask at once', async () => {
    await isKnownToTake(2_000);

    const places = await Promise.all(Array.from({ length: 50 }, defer));

    expect(places.sort((one, other) => one - other)).toEqual(
      Array.from({ length: 50 }, (_, index) => (index + 1) * 500),
    );
  });

  it('never takes longer than a minute, whoever waits already', async () => {
    await isKnownToTake(15_000);

    const places = await Promise.all(Array.from({ length: 100 }, defer));

    expect(Math.max(...places)).toBe(longestDeferralMs);
    expect(longestDeferralMs).toBeLessThan(59_000);
  });

  it('where the rule is gone puts it off for no longer than it has to', async () => {
    const slot = await deferAttempt(
      { db: workspace.database, clock },
      { ...stage.ref({ id: 0 }), ruleId: 987_654 },
    );

    expect(slot).toEqual(clock.now());
  });
});
