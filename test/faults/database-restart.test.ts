import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../tools/dev/provision/ports.js';
import { apiAt } from '../support/api/api.js';
import { callAs } from '../support/api/call-as.js';
import { type OwnPostgres, startOwnPostgres } from '../support/faults/own-postgres.js';
import { waitFor } from '../support/lib/wait-for.js';
import { type ServiceProcess, startApiProcess, startWorkerProcess } from '../support/run/service-process.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { doors } from '../workflows/small-trees.js';

const backWithinMs = 60_000;

let postgres: OwnPostgres;
let system: TestSystem;
let workspace: SmsWorkspace;
let api: ServiceProcess;
let worker: ServiceProcess;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  system = await startSystem({ testDatabase: postgres, relay: false, worker: false });
  const port = await freePort();
  const options = { system, testDatabase: postgres, publicUrl: `http://127.0.0.1:${port}` };
  [api, worker] = await Promise.all([startApiProcess(options, port), startWorkerProcess(options)]);
  workspace = await createSmsWorkspace({ ...system, api: { ...system.api, baseUrl: api.url } });
});
afterAll(async () => {
  await Promise.all([api.kill(), worker.kill()]);
  await system.stop();
  await postgres.stop();
});

const call = (...request: Parameters<ReturnType<typeof callAs>>) =>
  callAs(apiAt(api.url), workspace, workspace.admin)(...request);

describe('a database restart', { timeout: 180_000 }, () => {
  it('causes 500 responses without partial writes, and api, relay and runs reconnect', async () => {
    const definitionId = await workspace.publish(doors);
    const before = await workspace.begin(definitionId);
    await before.heard('Welcome to the hall.');
    const texter = await workspace.addTexter();
    const create = () =>
      call('POST', '/chats', { channel: 'phone-sms', workflowId: definitionId, memberId: texter.memberId });

    // Requests continue while the database goes down, some of them within their transaction.
    const during = Array.from({ length: 20 }, create);
    await postgres.kill();
    const answers = [...(await Promise.all(during)), await create(), await call('GET', '/members')];
    const failed = answers.filter(({ status }) => status !== 201);
    for (const { status, headers, body } of failed) {
      expect(headers.get('Content-Type')).toContain('application/problem+json');
      expect({ status, body }).toMatchObject({
        status: 500,
        body: { status: 500, code: expect.any(String) },
      });
    }
    expect(failed.length).toBeGreaterThanOrEqual(2);
    await postgres.start();

    const status = async () => (await call('GET', '/members')).status;
    await waitFor('the api serves again', async () => (await status()) === 200, backWithinMs);
    expect([api.running(), worker.running()]).toEqual([true, true]);
    const counts = await workspace.select<{ chats: number; assignments: number }>(
      `select (select count(*)::int from chats where member_id = ?) as chats,
              (select count(*)::int from assignments where member_id = ?) as assignments`,
      [texter.memberId, texter.memberId],
    );
    expect(counts[0]?.assignments).toBe(counts[0]?.chats);
    // One request may have been committed just before its answer was lost.
    expect(counts[0]?.chats).toBeGreaterThanOrEqual(answers.length - failed.length);

    // The relay, running workflows and new ones continue without a restart of our processes.
    const after = await create();
    expect(after.status).toBe(201);
    await before.write('the open room');
    await before.heard('open room');
    const silent = () =>
      workspace.select(
        `select c.id from chats c where c.member_id = ? and not exists
           (select 1 from messages m where m.chat_id = c.id and m.role = 'assistant')`,
        [texter.memberId],
      );
    await waitFor('every chat has begun', async () => (await silent()).length === 0, backWithinMs);
    expect([api.running(), worker.running()]).toEqual([true, true]);
    expect(await worker.isReady()).toBe(true);
  });
});
