import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anotherSecret, secret } from '../docs/deliver.js';
import { callAs } from '../support/api/call-as.js';
import { waitFor } from '../support/lib/wait-for.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';
import { installPythonTools } from './support/python-tools.js';
import { type RunningReceiver, startReceiver } from './support/start-receiver.js';

let system: TestSystem;
let workspace: TestWorkspace;
let call: ReturnType<typeof callAs>;
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
  call = callAs(system.api, workspace, workspace.admin);
});
afterAll(async () => {
  await system.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

/** A rule and the receiver of its deliveries. */
interface Pair {
  ruleId: number;
  receiver: RunningReceiver;
}

/** Starts each kind of documented receiver with the secret `own`, and a rule per receiver with the first secret. */
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
      const { body } = await call('POST', '/event-rules', {
        name: `Receiver of ${receiver.url}`,
        eventType: 'member:updated',
        actionType: 'webhook:send',
        actionParams: { webhookUrl: receiver.url, signingSecret: secret },
      });
      return { receiver, ruleId: body.id };
    }),
  );
}

/** Creates an event for every receiver, because all rules have the same type. */
async function happen(name: string): Promise<void> {
  const { status } = await call('PUT', `/members/${workspace.admin.memberId}`, { name });
  expect(status).toBe(200);
}

async function rotate(pairs: Pair[], overlapSeconds: number): Promise<void> {
  for (const { ruleId } of pairs) {
    const body = { signingSecret: anotherSecret, overlapSeconds };
    expect(await call('POST', `/event-rules/${ruleId}/rotate-secret`, body)).toMatchObject({ status: 200 });
  }
}

const haveKept = (pairs: Pair[], count: number) =>
  waitFor('they have kept it', () => pairs.every(({ receiver }) => receiver.kept.length === count));

/** Waits until the last delivery of each rule has these values. */
const recorded = (pairs: Pair[], expected: Record<string, unknown>) =>
  waitFor('it is recorded', async () => {
    const deliveries = await workspace.within((tx) =>
      Promise.all(
        pairs.map(({ ruleId }) =>
          tx('webhook_deliveries').where({ event_rule_id: ruleId }).orderBy('id', 'desc').first(),
        ),
      ),
    );
    expect(deliveries).toMatchObject(pairs.map(() => expected));
    return true;
  });

const takenAtOnce = { status: 'delivered', attempt_count: 1 };
const refused = { status: 'pending', last_status_code: 401 };

it('delivers to every documented receiver during a secret rotation, with the old or the new secret', async () => {
  const old = await startPairs(secret);
  // The first accepted request ends the probation of the host, which all receivers share (decision 78).
  await happen('Lee Sample');
  await haveKept(old, 1);

  const renewed = await startPairs(anotherSecret);
  const all = [...old, ...renewed];
  await happen('Alex Sample');
  await haveKept(old, 2);
  await recorded(old, takenAtOnce);
  await recorded(renewed, refused);
  await haveKept(renewed, 0);

  // The refused deliveries are signed again with both secrets, and accepted.
  await rotate(all, 3_600);
  await haveKept(renewed, 1);
  await recorded(renewed, { status: 'delivered' });

  await happen('Robin Sample');
  await haveKept(renewed, 2);
  await haveKept(old, 3);
  await recorded(all, takenAtOnce);

  // Without an overlap, the older secret ends at once.
  await rotate(all, 0);
  await happen('Kim Sample');
  await haveKept(renewed, 3);
  await recorded(renewed, takenAtOnce);
  await recorded(old, refused);
  await haveKept(old, 3);

  // An event has the same id for every receiver.
  const [ids = []] = renewed.map(({ receiver }) => receiver.kept);
  for (const { receiver } of renewed) expect(receiver.kept).toEqual(ids);
  for (const { receiver } of old) expect(receiver.kept.slice(1)).toEqual(ids.slice(0, 2));
});
