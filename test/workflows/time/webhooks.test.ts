import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expireSecrets } from '../../../db/events/event-rule-secrets.js';
import { addSigningSecret } from '../../../domain/events/event-rules/signing-secrets.js';
import { defaultRetryDelaysMs } from '../../../domain/events/webhook-deliveries/schedule.js';
import { testEncryption } from '../../support/lib/encryption.js';
import { days, hours, minutes } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { type SkippingSystem, startSkippingSystem } from '../../support/system/skipping-system.js';
import { addEventRule } from '../../support/webhooks/event-rules.js';
import { signaturesOf, timestampOf } from '../../support/webhooks/verify-webhook.js';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookAnswer,
  type WebhookReceiver,
} from '../../support/webhooks/webhook-receiver.js';
import {
  type StagedDelivery,
  stageWebhooks,
  type WebhookStage,
} from '../../support/webhooks/webhook-stage.js';
import { createWorkspace } from '../../support/workspace/factories.js';
import { proveEmail } from '../../support/workspace/prove-email.js';

let system: SkippingSystem;
let receiver: WebhookReceiver;
/** The arrival time of each webhook, by the service’s clock. */
const cameAt = new Map<ReceivedWebhook, Date>();
const answers = new Map<string, WebhookAnswer>();

beforeAll(async () => {
  [system, receiver] = await Promise.all([startSkippingSystem(), startWebhookReceiver()]);
  receiver.behave((webhook) => {
    cameAt.set(webhook, system.clock.now());
    return answers.get(webhook.path) ?? {};
  });
});
afterAll(async () => {
  await system.stop();
  await receiver.close();
});

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

interface Story extends WebhookStage {
  secret: string;
  /** The address of the workspace’s admin. */
  email: string;
  /** Creates an event and waits for its first attempt. */
  begin(): Promise<StagedDelivery>;
  came(path?: string): ReceivedWebhook[];
  /** Skips time until this number of attempts was made in total. */
  passes(milliseconds: number, count: number): Promise<void>;
  /**
   * Skips time along the retry schedule until the latest event has this number of attempts; `before` counts attempts
   * of earlier events.
   */
  goesOn(upTo: number, before?: number): Promise<void>;
  ended(delivery: StagedDelivery): Promise<string>;
}

let paths = 0;

/** A rule whose receiver gives this answer. */
async function tell(answer: WebhookAnswer): Promise<Story> {
  paths += 1;
  const path = `/story-${paths}`;
  answers.set(path, answer);
  const secret = newSecret();
  const workspace = await createWorkspace(system.database);
  const { email } = await proveEmail(workspace, workspace.admin.memberId);
  const stage = await stageWebhooks(workspace, {
    url: receiver.url(path),
    secret,
  });
  const came = (where = path) => receiver.received(where);
  const haveCome = (count: number) =>
    waitFor(`${count} have come`, async () => {
      const attempts = (await stage.deliveries()).map(({ id }) => stage.attempts(id));
      const finished = (await Promise.all(attempts)).flat().filter(({ finished_at }) => finished_at !== null);
      return finished.length === count;
    });
  const passes = async (milliseconds: number, count: number) => {
    await system.skip(milliseconds);
    await haveCome(count);
  };
  return {
    ...stage,
    secret,
    email,
    came,
    passes,
    async goesOn(upTo, before = 0) {
      for (let made = came().length; made < before + upTo; made += 1) {
        await passes((defaultRetryDelaysMs[made - before] ?? 0) * 1.1 + seconds(2), made + 1);
      }
    },
    async begin() {
      const before = came().length;
      const [delivery] = await stage.happen(1, system.clock.now());
      await haveCome(before + 1);
      return delivery as StagedDelivery;
    },
    ended: async ({ uuid }) => (await system.run('deliverWebhook', uuid).result()).status,
  };
}

const seconds = (count: number) => count * 1_000;

describe('an event with a failing receiver', () => {
  it('is sent over the whole retry schedule, signed anew each time', async () => {
    const story = await tell({ status: 503 });
    const delivery = await story.begin();
    await story.goesOn(10);

    expect(await story.ended(delivery)).toBe('failed');

    expect(await story.delivery(delivery.id)).toMatchObject({
      failure_reason: 'attempts_exhausted',
      attempt_count: 10,
    });
    const came = story.came();
    expect(came).toHaveLength(10);
    const times = came.map((webhook) => cameAt.get(webhook)?.getTime() ?? Number.NaN);
    for (const [index, delayMs] of defaultRetryDelaysMs.entries()) {
      if (index === 0) continue;
      const waitedMs = (times[index] ?? Number.NaN) - (times[index - 1] ?? Number.NaN);
      expect(waitedMs).toBeGreaterThanOrEqual(delayMs);
      expect(waitedMs).toBeLessThanOrEqual(delayMs * 1.1 + seconds(20));
    }
    for (const [index, webhook] of came.entries()) {
      expect(signaturesOf(webhook, story.secret)).toEqual({ count: 1, isSigned: true });
      const ageMs = (times[index] ?? Number.NaN) - timestampOf(webhook).getTime();
      expect(Math.abs(ageMs)).toBeLessThan(seconds(20));
    }
    expect(new Set(came.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(came.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
    expect(new Set(came.map(({ body }) => body)).size).toBe(1);
  });

  it('is retried at the Retry-After time if that is later', async () => {
    const story = await tell({ status: 429, headers: { 'Retry-After': '3600' } });
    const delivery = await story.begin();
    await system.skip(minutes(59));
    expect(story.came()).toHaveLength(1);

    answers.set(story.came()[0]?.path ?? '', { status: 204 });
    await story.passes(minutes(2), 2);

    expect(await story.ended(delivery)).toBe('delivered');
  });

  it('is not sent again after a 410, which disables the rule', async () => {
    const story = await tell({ status: 503 });
    const delivery = await story.begin();
    answers.set(story.came()[0]?.path ?? '', { status: 410 });

    await story.passes(seconds(7), 2);

    expect(await story.ended(delivery)).toBe('failed');
    expect(await story.delivery(delivery.id)).toMatchObject({ failure_reason: 'gone' });
    expect(await story.ruleNow()).toMatchObject({ enabled: false, disabled_reason: 'gone' });
  });

  it('ends after five days of failures, with the rule disabled and a mail to the workspace', async () => {
    const story = await tell({ status: 500 });
    const first = await story.begin();
    await story.goesOn(10);
    expect(await story.ended(first)).toBe('failed');
    await system.skip(hours(14));
    expect(await story.ruleNow()).toMatchObject({ enabled: true });
    const second = await story.begin();

    await story.goesOn(8, 10);

    expect(await story.ended(second)).toBe('failed');
    expect(await story.delivery(second.id)).toMatchObject({ failure_reason: 'rule_disabled' });
    expect(await story.ruleNow()).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    await waitFor('the workspace is told', async () => (await system.mail.sentTo(story.email)).length > 0);
    expect(await system.mail.sentTo(story.email)).toHaveLength(1);
  });
});

describe('a delivery between two attempts', () => {
  it('is signed with both secrets for a day after a rotation, then with the new one only', async () => {
    const story = await tell({ status: 503 });
    const delivery = await story.begin();
    const secret = newSecret();
    const now = system.clock.now();
    await system.database.inWorkspace(story.rule.workspaceId, async (tx) => {
      await expireSecrets(tx, story.rule.id, new Date(now.getTime() + days(1)));
      await addSigningSecret(tx, testEncryption, {
        eventRuleId: story.rule.id,
        text: secret,
        createdAt: now,
      });
    });

    await story.passes(seconds(7), 2);
    const [, second] = story.came();
    await story.goesOn(8);
    const last = story.came().at(-1);

    for (const one of [story.secret, secret]) {
      expect(signaturesOf(second as ReceivedWebhook, one)).toEqual({ count: 2, isSigned: true });
    }
    expect(signaturesOf(last as ReceivedWebhook, secret)).toEqual({ count: 1, isSigned: true });
    expect(signaturesOf(last as ReceivedWebhook, story.secret).isSigned).toBe(false);
    await system.run('deliverWebhook', delivery.uuid).cancel();
    expect(await story.ended(delivery)).toBe('cancelled');
  });

  it('goes to the new receiver if the rule changes', async () => {
    const story = await tell({ status: 503 });
    const delivery = await story.begin();
    const workspace = { database: system.database, workspaceId: story.rule.workspaceId };
    const other = await addEventRule({ ...workspace, workspaceUuid: '' }, { url: receiver.url('/moved') });
    await story.changeRule({ webhook_endpoint_id: other.webhookEndpointId });

    await story.passes(seconds(7), 2);

    expect(await story.ended(delivery)).toBe('delivered');
    expect(story.came()).toHaveLength(1);
    expect(story.came('/moved')).toHaveLength(1);
  });

  it.each([
    { is: 'disabled', reason: 'rule_disabled', status: 'failed' },
    { is: 'deleted', reason: 'rule_deleted', status: 'cancelled' },
  ])('is not sent again if the rule is $is', async ({ is, reason, status }) => {
    const story = await tell({ status: 503 });
    const delivery = await story.begin();
    const now = system.clock.now();
    const changes = { enabled: false, disabled_at: now, disabled_reason: 'by_member' };
    await story.changeRule(is === 'deleted' ? { deleted_at: now } : changes);

    await story.passes(seconds(7), 1);

    expect(await story.ended(delivery)).toBe(status);
    expect(await story.delivery(delivery.id)).toMatchObject({ failure_reason: reason, attempt_count: 1 });
    expect(story.came()).toHaveLength(1);
  });

  it('is cancelled with its run', async () => {
    const story = await tell({ status: 503 });
    const delivery = await story.begin();

    await system.run('deliverWebhook', delivery.uuid).cancel();

    expect(await story.ended(delivery)).toBe('cancelled');
    expect(await story.delivery(delivery.id)).toMatchObject({ failure_reason: 'run_cancelled' });
    await system.skip(days(1));
    expect(story.came()).toHaveLength(1);
  });
});
