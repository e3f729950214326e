import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/db/use-database.js';
import { allOf } from '../support/lib/csv-file.js';
import { waitFor } from '../support/lib/wait-for.js';
import { type ServiceProcess, startWorkerProcess } from '../support/run/service-process.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';
import { type OwnTemporal, startOwnTemporal } from '../support/temporal/temporal.js';
import { doors } from '../workflows/small-trees.js';

const chats = 50;
const backWithinMs = 60_000;

const testDatabase = useDatabase();
let temporal: OwnTemporal;
let worker: ServiceProcess;

beforeAll(async () => {
  temporal = await startOwnTemporal();
});
afterAll(() => temporal.stop());
const { system, workspace } = useSmsWorkspace(() =>
  startSystem({ testDatabase, temporalAddress: temporal.address, relay: false, worker: false }),
);
beforeAll(async () => {
  worker = await startWorkerProcess({ system, testDatabase, publicUrl: system.api.baseUrl });
});
afterAll(() => worker.kill());

describe('the service without Temporal', { timeout: 180_000 }, () => {
  it('accepts 50 new chats, and starts each run exactly once when Temporal is back', async () => {
    const definitionId = await workspace.publish(doors);
    const texters = await Promise.all(Array.from({ length: chats }, () => workspace.addTexter()));
    await temporal.kill();

    const chat = { channel: 'phone-sms', workflowId: definitionId };
    const answers = await Promise.all(
      texters.map(({ memberId }) => workspace.asAdmin('POST', '/chats', { ...chat, memberId })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    await temporal.start();

    const begun = () =>
      workspace.select(
        `select c.id from chats c where exists (select 1 from messages m where m.chat_id = c.id and m.role = 'assistant')`,
      );
    await waitFor('every chat has begun', async () => (await begun()).length === chats, backWithinMs);
    const open = () =>
      workspace.select("select id from deliveries where state not in ('delivered', 'failed')");
    await waitFor('every message is delivered', async () => (await open()).length === 0, backWithinMs);
    const said = await workspace.select<{ count: number }>(
      "select count(*)::int as count from messages where role = 'assistant' group by chat_id",
    );
    expect(said.map(({ count }) => count)).toEqual(Array.from({ length: chats }, () => 1));
    for (const { phone } of texters) expect(await system.carrier.sentTo(phone)).toHaveLength(1);

    const runs = await allOf(system.client.workflow.list({ query: "WorkflowType = 'runAssignment'" }));
    expect(runs.map(({ status }) => status.name)).toEqual(Array.from({ length: chats }, () => 'RUNNING'));
    expect(new Set(runs.map(({ workflowId }) => workflowId)).size).toBe(chats);
    expect(worker.running()).toBe(true);
    const waiting = () => workspace.select('select id from outbox');
    await waitFor('nothing waits any more', async () => (await waiting()).length === 0);
  });
});
