import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tx } from '../../db/database.js';
import { expireSecrets } from '../../db/queries/event-rule-secrets.js';
import { addSigningSecret } from '../../domain/event-rules/signing-secrets.js';
import { anotherSecret, secret } from '../docs/deliver.js';
import { testEncryption } from '../support/encryption.js';
import { createWorkspace, type TestWorkspace } from '../support/factories.js';
import { startSystem, type TestSystem } from '../support/system.js';
import { waitFor } from '../support/wait-for.js';
import { type StagedDelivery, stageWebhooks, type WebhookStage } from '../support/webhook-stage.js';
import { installPythonTools } from './support/python-tools.js';
import { type RunningReceiver, startReceiver } from './support/start-receiver.js';

let system: TestSystem;
let workspace: TestWorkspace;
let python: string;
const receivers: RunningReceiver[] = [];

beforeAll(async () => {
  let programs: string;
  [programs, system] = await Promise.all([
    installPythonTools(),
    startSystem({ retryDelaysMs: [0, ...Array.from({ length: 100 }, () => 500)] }),
  ]);
  python = resolve(programs, 'python');
  workspace = await createWorkspace(system.database);
});
afterAll(async () => {
  await system.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

/** A rule of one and the same type of events, and the receiver that its deliveries go to. */
interface Pair {
  stage: WebhookStage;
  receiver: RunningReceiver;
}

/** A receiver of each kind that the documentation has, which knows this secret. */
function startPairs(own: string): Promise<Pair[]> {
  const programs = [
    [python, 'docs/webhook-receiver/receiver.py'],
    ['node_modules/.bin/tsx', 'docs/webhook-receiver/receiver.ts'],
  ] as const;
  const kinds = programs.flatMap((program) => ['hand', 'library'].map((way) => ({ program, way })));
  return Promise.all(
    kinds.map(async ({ program, way }) => {
      const receiver = await startReceiver(program, way, own);
      receivers.push(receiver);
      return { receiver, stage: await stageWebhooks(workspace, { url: receiver.url, secret }) };
    }),
  );
}

const withSecrets = (pairs: Pair[], change: (tx: Tx, eventRuleId: number) => Promise<unknown>) =>
  workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
    for (const { stage } of pairs) await change(tx, stage.rule.id);
  });

const haveKept = (pairs: Pair[], count: number) =>
  waitFor('they have kept it', () => pairs.every(({ receiver }) => receiver.kept.length === count));

/** Waits until the last event is recorded as taken, by each of them at once. */
const takenAtOnce = (pairs: Pair[]) =>
  last(pairs, (one) => one.status === 'delivered' && one.attempt_count === 1);

const refused = (pairs: Pair[]) =>
  last(pairs, (one) => one.status === 'pending' && one.last_status_code === 401);

function last(pairs: Pair[], condition: (delivery: StagedDelivery) => boolean): Promise<unknown> {
  return waitFor('the last deliveries are as expected', async () => {
    const deliveries = await Promise.all(pairs.map(async ({ stage }) => (await stage.deliveries()).at(-1)));
    return deliveries.every((delivery) => delivery !== undefined && condition(delivery));
  });
}

it('reaches receivers of each kind, whichever secret they know while one takes the other’s place', async () => {
  const [old, renewed] = await Promise.all([startPairs(secret), startPairs(anotherSecret)]);
  const [first] = old;

  // All are rules of one type, so each event goes to every receiver.
  await first?.stage.happen();
  await haveKept(old, 1);
  await takenAtOnce(old);
  await refused(renewed);
  await haveKept(renewed, 0);

  // What was refused is signed anew, with both, and taken.
  await withSecrets([...old, ...renewed], (tx, eventRuleId) =>
    addSigningSecret(tx, testEncryption, { eventRuleId, text: anotherSecret, createdAt: new Date() }),
  );
  await haveKept(renewed, 1);

  await first?.stage.happen();
  await haveKept([...old, ...renewed], 2);
  await takenAtOnce([...old, ...renewed]);

  // The older secret lasts for a while only.
  await withSecrets([...old, ...renewed], async (tx, eventRuleId) => {
    await expireSecrets(tx, eventRuleId, new Date());
    await addSigningSecret(tx, testEncryption, {
      eventRuleId,
      text: anotherSecret,
      createdAt: new Date(),
    });
  });
  await first?.stage.happen();
  await haveKept(renewed, 3);
  await takenAtOnce(renewed);
  await refused(old);
  await haveKept(old, 2);

  // One event has one id, wherever it goes.
  const [ids] = renewed.map(({ receiver }) => receiver.kept);
  for (const { receiver } of renewed) expect(receiver.kept).toEqual(ids);
  for (const { receiver } of old) expect(receiver.kept).toEqual(ids?.slice(0, 2));
});
