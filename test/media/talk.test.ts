import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selectBridgesOfCall } from '../../db/calls/call-bridges.js';
import type { Tx } from '../../db/tx.js';
import { leaseMs } from '../../domain/calls/call-times.js';
import type { RevisionTask } from '../../domain/definitions/revision-rules/types.js';
import { freePort } from '../../tools/dev/provision/ports.js';
import type { Plan } from '../../tools/simulators/carrier/calls/plan.js';
import { speak } from '../../tools/simulators/support/spoken.js';
import { type CarriedCall, dialMember } from '../support/calls/carried-call.js';
import { useDatabase } from '../support/db/use-database.js';
import { waitFor } from '../support/lib/wait-for.js';
import {
  type ServiceProcess,
  startMediaProcess,
  startWorkerProcess,
} from '../support/run/service-process.js';
import { ask } from '../support/simulators/ask.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { addPhoneNumber, conversationTasks } from '../support/workspace/definitions.js';
import { actionsOf, recordRuns, summariesOf } from '../workflows/histories.js';

const testDatabase = useDatabase();
let system: TestSystem;
let workspace: SmsWorkspace;
let media: ServiceProcess;
let worker: ServiceProcess;
let port: number;

const startMedia = () =>
  startMediaProcess({
    system,
    testDatabase,
    publicUrl: system.api.baseUrl,
    env: { MEDIA_PUBLIC_URL: `ws://127.0.0.1:${port}`, MEDIA_PORT: String(port) },
  });

const startWorker = () => startWorkerProcess({ system, testDatabase, publicUrl: system.api.baseUrl });
const sessions = () => ask<{ count: number; open: number }>(system.model.url, 'GET', '/realtime/sessions');

beforeAll(async () => {
  port = await freePort();
  system = await startSystem({
    testDatabase,
    worker: false,
    streamUrl: `ws://127.0.0.1:${port}/api/v2/call-streams`,
  });
  workspace = await createSmsWorkspace(system);
  [media, worker] = await Promise.all([startMedia(), startWorker()]);
}, 180_000);
afterAll(async () => {
  await worker?.stop();
  await media?.stop();
  await system?.stop();
});

const inWorkspace = <Result>(work: (tx: Tx) => Promise<Result>) =>
  system.database.inWorkspace(workspace.workspaceId, work);

async function call(script: Plan['script'] = [], rootTask = conversationTasks()) {
  const { id: phoneNumberId } = await addPhoneNumber(workspace, { voiceEnabled: true });
  const workflowId = await workspace.publish(rootTask);
  return dialMember(system, workspace, { plan: { script }, workflowId, phoneNumberId });
}

const speaks = (placed: CarriedCall) =>
  waitFor(
    'the agent speaks',
    async () => (await placed.said()).some(({ role }) => role === 'assistant'),
    60_000,
  );
const bridgesOf = ({ callId }: CarriedCall) =>
  inWorkspace((tx) =>
    tx('call_bridges').where({ call_id: callId }).whereNotNull('began_at').orderBy('attempt'),
  );

const says = (words: string) => ({ say: { base64: speak(words).toString('base64') } });

/** A question, what is said to the answer, and the end. */
function fiveTasks(): RevisionTask {
  const { children = [], ...root } = conversationTasks();
  const [end] = children;
  if (end === undefined) throw new Error('the tasks have no end');
  const texts = ['First', 'Then', 'At last'];
  const walk = texts.reduceRight<RevisionTask>(
    (next, text) => ({
      name: text,
      taskType: 'message',
      configuration: { text: `${text}.` },
      autoNext: true,
      children: [next],
    }),
    { ...end, name: 'End' },
  );
  return { ...root, children: [{ ...walk, choicePrompt: end.choicePrompt ?? null }] };
}

describe('a call from end to end', { timeout: 120_000 }, () => {
  it('is answered, walks through the workflow and is ended by the agent, with what was said in its chat', async () => {
    const placed = await call([
      { untilStream: 1 },
      { untilHears: 400 },
      { untilQuiet: 800 },
      says('I am at the door'),
      { wait: 60_000 },
    ]);
    const row = await placed.ended();

    expect(row).toMatchObject({
      status: 'completed',
      terminationReason: 'hangup',
      carrierStatus: 'completed',
      failureDetail: null,
    });
    expect((await placed.atCarrier()).alerts).toEqual([]);
    const said = await placed.said();
    expect(said.map(({ role }) => role)).toContain('assistant');
    expect(said.find(({ role }) => role === 'user')?.content).toBe('I am at the door');
    for (const { audioMetadata } of said.filter(({ content }) => content !== null)) {
      expect(audioMetadata).toMatchObject({ phoneCallId: row.id, startMs: expect.any(Number) });
    }
    expect(row.credits).toBeGreaterThan(0);
    const { body: chat } = await workspace.asAdmin('GET', `/chats/${placed.chatId}`);
    const { body: assignment } = await workspace.asAdmin('GET', `/assignments/${chat.assignmentId}`);
    expect(assignment).toMatchObject({ status: 'completed', outcome: 'good' });
  });

  it('costs its run no more Actions for five tasks than for none', async () => {
    const placed = await call(
      [
        { untilStream: 1 },
        { untilHears: 400 },
        { untilQuiet: 800 },
        says('I am at the door'),
        { wait: 60_000 },
      ],
      fiveTasks(),
    );
    const { uuid } = await placed.ended();
    const { body: chat } = await workspace.asAdmin('GET', `/chats/${placed.chatId}`);
    const { body: assignment } = await workspace.asAdmin('GET', `/assignments/${chat.assignmentId}`);
    expect(assignment).toMatchObject({ status: 'completed', outcome: 'good' });

    const run = await waitFor('the run waits for the bill', async () => {
      const [recorded] = await recordRuns(system, `WorkflowId = 'call-${uuid}'`);
      const waits =
        recorded !== undefined && summariesOf(recorded).some((text) => text.startsWith('Wait for the bill'));
      return waits && recorded;
    });
    // The step that takes in the bill is still to come.
    expect(actionsOf(run).length).toBeLessThanOrEqual(7);
  });

  it('that a run has to end is ended by its process, with a goodbye, and not by the carrier', async () => {
    const placed = await call([{ untilStream: 1 }, { untilHears: 400 }, { wait: 60_000 }]);
    await speaks(placed);
    const before = (await placed.said()).length;
    await workspace.asAdmin('PUT', `/chats/${placed.chatId}`, { archived: true });
    await workspace.poke('runVoiceCall', (await placed.row()).uuid);
    const row = await placed.ended();

    expect(row).toMatchObject({ status: 'completed', terminationReason: 'handoff', releasedAt: null });
    const [bridge] = await inWorkspace((tx) => selectBridgesOfCall(tx, row.id));
    expect(bridge).toMatchObject({ command: 'hang_up', acknowledgedAt: expect.any(Date) });
    expect((await placed.said()).length).toBeGreaterThan(before);
    expect((await placed.atCarrier()).alerts).toEqual([]);
  });

  it('goes on in another process when the one that holds it dies', async () => {
    const placed = await call([
      { untilStream: 1 },
      { untilHears: 400 },
      { untilStream: 2 },
      { untilHears: 400 },
      { untilQuiet: 800 },
      { hangUp: true },
    ]);
    await speaks(placed);
    await media.kill();
    media = await startMedia();
    const row = await placed.ended();

    expect(row).toMatchObject({ status: 'completed', terminationReason: 'completed', failureDetail: null });
    const bridges = await bridgesOf(placed);
    expect(bridges.length).toBeGreaterThan(1);
  });

  it('ends as connection_reset when its process dies, and the other side leaves before another is there', async () => {
    const placed = await call([{ untilStream: 1 }, { untilHears: 400 }, { wait: 60_000 }]);
    await speaks(placed);
    await media.kill();
    // The lease runs out: nobody has been able to say that the stream is lost.
    const heartbeatAt = new Date(Date.now() - 2 * leaseMs);
    await inWorkspace((tx) =>
      tx('call_bridges').where({ call_id: placed.callId }).update({ heartbeat_at: heartbeatAt }),
    );
    await system.carrier.calls.act((await placed.atCarrier()).sid, { hangUp: true });
    const row = await placed.ended();
    media = await startMedia();

    expect(row).toMatchObject({ carrierStatus: 'completed', failureDetail: 'connection_reset' });
  });

  it('goes on when its model is lost, with another session that knows what was said', async () => {
    const placed = await call([{ untilStream: 1 }, { untilHears: 400 }, { wait: 60_000 }]);
    await speaks(placed);
    await ask(system.model.url, 'POST', '/realtime/drop', {});
    const { sid } = await placed.atCarrier();
    await waitFor('another session is open', async () => (await sessions()).open > 0);
    await system.carrier.calls.act(sid, { wait: 1_000 }, says('I am at the door'));
    const row = await placed.ended();

    expect(row).toMatchObject({ terminationReason: 'hangup', failureDetail: null });
    expect(await bridgesOf(placed)).toHaveLength(1);
    expect((await placed.said()).find(({ role }) => role === 'user')?.content).toBe('I am at the door');
  });

  it('goes on when the worker dies, and is final when another is there', async () => {
    const placed = await call([
      { untilStream: 1 },
      { untilHears: 400 },
      { untilQuiet: 800 },
      says('I am at the door'),
      { wait: 60_000 },
    ]);
    await speaks(placed);
    await worker.kill();
    worker = await startWorker();
    const row = await placed.ended();

    expect(row).toMatchObject({ terminationReason: 'hangup', failureDetail: null });
    expect(await system.carrier.calls.of(placed.texter.phone)).toHaveLength(1);
  });
});
