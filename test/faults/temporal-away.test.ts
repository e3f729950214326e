import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/db/database.js';
import { waitFor } from '../support/lib/wait-for.js';
import { type ServiceProcess, startWorkerProcess } from '../support/run/service-process.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { type OwnTemporal, startOwnTemporal } from '../support/temporal/temporal.js';
import { doors } from '../workflows/small-trees.js';

const chats = 50;
const backWithinMs = 60_000;

let testDatabase: TestDatabase;
let temporal: OwnTemporal;
let system: TestSystem;
let workspace: SmsWorkspace;
let worker: ServiceProcess;

beforeAll(async () => {
  [testDatabase, temporal] = await Promise.all([createTestDatabase(), startOwnTemporal()]);
  system = await startSystem({
    testDatabase,
    temporalAddress: temporal.address,
    relay: false,
    worker: false,
  });
  workspace = await createSmsWorkspace(system);
  worker = await startWorkerProcess({ system, testDatabase, publicUrl: system.api.baseUrl });
});
afterAll(async () => {
  await worker.kill();
  await system.stop();
  await temporal.stop();
  await testDatabase.drop();
});

describe('the service without Temporal', { timeout: 180_000 }, () => {
  it('accepts 50 new chats, and starts each run exactly once when Temporal is back', async () => {
    const definitionId = await workspace.publish(doors);
    const texters = await Promise.all(Array.from({ length: chats }, () => workspace.addTexter()));
    await temporal.kill();

    const answers = await Promise.all(
      texters.map(({ memberId }) =>
        system.api.request('POST', workspace.path('/chats'), {
          apiKey: workspace.admin.apiKey,
          body: { channel: 'phone-sms', workflowId: definitionId, memberId },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    await temporal.start();

    await waitFor(
      'every chat has begun',
      async () => {
        const begun = await workspace.select<{ id: number }>(
          `select c.id from chats c where exists (select 1 from messages m where m.chat_id = c.id and m.role = 'assistant')`,
        );
        return begun.length === chats;
      },
      backWithinMs,
    );
    await waitFor(
      'every message is delivered',
      async () => {
        const open = await workspace.select(
          "select id from deliveries where state not in ('delivered', 'failed')",
        );
        return open.length === 0;
      },
      backWithinMs,
    );
    const said = await workspace.select<{ count: number }>(
      "select count(*)::int as count from messages where role = 'assistant' group by chat_id",
    );
    expect(said.map(({ count }) => count)).toEqual(Array.from({ length: chats }, () => 1));
    for (const { phone } of texters) expect(await system.carrier.sentTo(phone)).toHaveLength(1);

    const runs: string[] = [];
    for await (const run of system.client.workflow.list({ query: "WorkflowType = 'runAssignment'" })) {
      expect(run.status.name).toBe('RUNNING');
      runs.push(run.workflowId);
    }
    expect(new Set(runs).size).toBe(chats);
    expect(runs).toHaveLength(chats);
    expect(worker.running()).toBe(true);
    await waitFor(
      'nothing waits any more',
      async () => (await workspace.select('select id from outbox')).length === 0,
    );
  });
});
