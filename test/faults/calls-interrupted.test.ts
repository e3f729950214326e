import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type CallBridgeRow, selectBridgesOfCall } from '../../db/calls/call-bridges.js';
import { freePort } from '../../tools/dev/provision/ports.js';
import type { Step } from '../../tools/simulators/carrier/calls/plan.js';
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

const notedWithinMs = 60_000;

const testDatabase = useDatabase();
let system: TestSystem;
let workspace: SmsWorkspace;
let worker: ServiceProcess;
let media: ServiceProcess;
let mediaPort: number;
let phoneNumberId: number;
let workflowId: number;

const processes = () => ({ system, testDatabase, publicUrl: system.api.baseUrl });
const startMedia = () =>
  startMediaProcess({
    ...processes(),
    env: { MEDIA_PUBLIC_URL: `ws://127.0.0.1:${mediaPort}`, MEDIA_PORT: String(mediaPort) },
  });

beforeAll(async () => {
  mediaPort = await freePort();
  const streamUrl = `ws://127.0.0.1:${mediaPort}/api/v2/call-streams`;
  system = await startSystem({ testDatabase, streamUrl, relay: false, worker: false });
  workspace = await createSmsWorkspace(system);
  [worker, media] = await Promise.all([startWorkerProcess(processes()), startMedia()]);
  ({ id: phoneNumberId } = await addPhoneNumber(workspace, { voiceEnabled: true }));
  workflowId = await workspace.publish(conversationTasks());
}, 300_000);
afterAll(async () => {
  await Promise.all([worker?.stop(), media?.stop()]);
  await system?.stop();
});

interface CallUnderWay extends CarriedCall {
  /** What the person on the phone does next. */
  act(...steps: Step[]): Promise<unknown>;
  bridges(): Promise<CallBridgeRow[]>;
  /** Waits until so much was said by either side. */
  saidBy(role: 'assistant' | 'user', count?: number): Promise<unknown>;
}

/** A call in which the agent has spoken. */
async function talking(): Promise<CallUnderWay> {
  const plan = { script: [{ wait: 300_000 }] };
  const call = await dialMember(system, workspace, { plan, workflowId, phoneNumberId });
  const saidBy = (role: 'assistant' | 'user', count = 1) =>
    waitFor(
      `the ${role} has said ${count}`,
      async () =>
        (await call.said()).filter((one) => one.role === role && one.content !== null).length >= count,
      notedWithinMs,
    );
  await saidBy('assistant');
  return {
    ...call,
    saidBy,
    act: async (...steps) => system.carrier.calls.act((await call.atCarrier()).sid, ...steps),
    bridges: () =>
      system.database.inWorkspace(workspace.workspaceId, (tx) => selectBridgesOfCall(tx, call.callId)),
  };
}

const says = (words: string): Step => ({ say: { words } });
const hangUp: Step = { hangUp: true };

/** The record of a call, once it is final at both ends, and what its run says. */
async function record(call: CallUnderWay) {
  const row = await call.ended();
  expect((await call.endedAtCarrier()).status).toBe('completed');
  const { status: ended, terminationReason, carrierStatus, failureDetail } = row;
  return { status: ended, terminationReason, carrierStatus, failureDetail };
}

const answered = { status: 'completed', carrierStatus: 'completed' };
const completed = { ...answered, terminationReason: 'completed', failureDetail: null };

/** The assignment of the call, once it has ended by the words of the member. */
async function outcomeOf({ chatId }: CallUnderWay): Promise<unknown> {
  const { body: chat } = await workspace.asAdmin('GET', `/chats/${chatId}`);
  const { body: assignment } = await workspace.asAdmin('GET', `/assignments/${chat.assignmentId}`);
  return { status: assignment.status, outcome: assignment.outcome };
}

describe('in the middle of a call', { timeout: 480_000 }, () => {
  it('a killed worker is not noticed on the phone, and another one ends the run', async () => {
    const call = await talking();
    await worker.kill();

    await call.act(says('It went well'));
    await call.saidBy('user');
    await waitFor('the agent has hung up', async () => (await call.atCarrier()).endedAt, notedWithinMs);
    worker = await startWorkerProcess(processes());

    expect(await record(call)).toEqual({ ...completed, terminationReason: 'hangup' });
    expect(await call.bridges()).toHaveLength(1);
    expect(await outcomeOf(call)).toEqual({ status: 'completed', outcome: 'good' });
    const run = system.run('runAssignment', await assignmentUuidOf(call));
    await waitFor(
      'the run has ended',
      async () => (await run.describe()).status.name === 'COMPLETED',
      notedWithinMs,
    );
  });

  it('a killed media process costs the caller a pause: another takes the call over', async () => {
    const call = await talking();
    await media.kill();
    media = await startMedia();
    await waitFor(
      'another stream has begun',
      async () => (await call.bridges()).filter(({ beganAt }) => beganAt !== null).length > 1,
      notedWithinMs,
    );

    await call.act(says('It went well'));

    expect(await record(call)).toEqual({ ...completed, terminationReason: 'hangup' });
    expect(await outcomeOf(call)).toEqual({ status: 'completed', outcome: 'good' });
    const bridges = await call.bridges();
    expect(bridges[0]).toMatchObject({ attempt: 1, processId: expect.any(String) });
    expect(bridges[1]?.processId).not.toBe(bridges[0]?.processId);
    const said = (await call.said()).filter(({ content, role }) => content !== null && role !== 'tool');
    expect(said.map(({ role }) => role).slice(0, 1)).toEqual(['assistant']);
    expect(said.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'It went well',
    ]);
  });

  it('a media process that is killed and does not come back ends the call as connection_reset', async () => {
    const call = await talking();
    await media.kill();
    onTestFinished(async () => {
      media = await startMedia();
    });

    expect(await record(call)).toEqual({
      ...answered,
      terminationReason: null,
      failureDetail: 'connection_reset',
    });
    expect((await call.said()).map(({ role }) => role)).toContain('assistant');
  });

  it('a session of the model that breaks is begun again, and the call goes on', async () => {
    const call = await talking();
    await ask(system.model.url, 'POST', '/realtime/drop', {});

    await call.act(says('It went well'));

    expect(await record(call)).toEqual({ ...completed, terminationReason: 'hangup' });
    expect(await outcomeOf(call)).toEqual({ status: 'completed', outcome: 'good' });
    expect(await call.bridges()).toHaveLength(1);
  });

  it('a model that breaks off and takes nobody any more ends the call as error', async () => {
    const call = await talking();
    await ask(system.model.url, 'POST', '/realtime/knobs', { refuse: 503 });
    onTestFinished(() => ask(system.model.url, 'DELETE', '/realtime/knobs'));
    await ask(system.model.url, 'POST', '/realtime/drop', {});

    expect(await record(call)).toEqual({ ...answered, terminationReason: null, failureDetail: 'error' });
  });

  it('an end that the carrier does not report is taken in within its deadline', async () => {
    const call = await talking();
    await system.carrier.turn({
      handset: call.texter.phone,
      lostCallEvents: ['completed', 'stream-stopped', 'stream-error'],
    });

    await call.act(hangUp);

    expect(await record(call)).toEqual(completed);
  });
});

async function assignmentUuidOf({ chatId }: CallUnderWay): Promise<string> {
  const found = await workspace.select<{ uuid: string }>('select uuid from assignments where chat_id = ?', [
    chatId,
  ]);
  return found[0]?.uuid ?? '';
}
