import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOpenCall, findPhoneCall, type PhoneCallRow } from '../../db/calls/phone-calls.js';
import { selectRecentHistory } from '../../db/conversations/messages.js';
import type { Tx } from '../../db/database.js';
import { freePort } from '../../tools/dev/provision/ports.js';
import { speak } from '../../tools/simulators/support/spoken.js';
import { useDatabase } from '../support/db/use-database.js';
import { waitFor } from '../support/lib/wait-for.js';
import { type ServiceProcess, startMediaProcess } from '../support/run/service-process.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { addPhoneNumber, conversationTasks } from '../support/workspace/definitions.js';

const testDatabase = useDatabase();
let system: TestSystem;
let workspace: SmsWorkspace;
let media: ServiceProcess;
let port: number;

const startMedia = () =>
  startMediaProcess({
    system,
    testDatabase,
    publicUrl: system.api.baseUrl,
    env: { MEDIA_PUBLIC_URL: `ws://127.0.0.1:${port}`, MEDIA_PORT: String(port) },
  });

beforeAll(async () => {
  port = await freePort();
  system = await startSystem({ testDatabase, streamUrl: `ws://127.0.0.1:${port}/api/v2/call-streams` });
  workspace = await createSmsWorkspace(system);
  media = await startMedia();
}, 180_000);
afterAll(async () => {
  await media?.stop();
  await system?.stop();
});

const inWorkspace = <Result>(work: (tx: Tx) => Promise<Result>) =>
  system.database.inWorkspace(workspace.workspaceId, work);

async function call(script: object[]) {
  const texter = await workspace.addTexter();
  await system.carrier.calls.plan(texter.phone, { script: script as never });
  const { id: phoneNumberId } = await addPhoneNumber(workspace, { voiceEnabled: true });
  const { status, body } = await workspace.asAdmin('POST', '/chats', {
    channel: 'phone-voice',
    workflowId: await workspace.publish(conversationTasks()),
    memberId: texter.memberId,
    phoneNumberId,
  });
  expect(status).toBe(201);
  const open = await inWorkspace((tx) => findOpenCall(tx, body.id));
  if (open === undefined) throw new Error('there is no call');
  const row = async (): Promise<PhoneCallRow> => {
    const found = await inWorkspace((tx) => findPhoneCall(tx, open.id));
    if (found === undefined) throw new Error('the call is gone');
    return found;
  };
  return {
    texter,
    row,
    chatId: body.id as number,
    said: () => inWorkspace((tx) => selectRecentHistory(tx, body.id, 100)),
    ended: () =>
      waitFor('the call has ended', async () => (await row()).finishedAt !== null && row(), 60_000),
    atCarrier: async () => {
      const latest = (await system.carrier.calls.of(texter.phone)).at(-1);
      if (latest === undefined) throw new Error('the carrier has no call');
      return latest;
    },
  };
}

const says = (words: string) => ({ say: { base64: speak(words).toString('base64') } });

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
    const said = (await placed.said()).filter(({ callId }) => callId === row.id);
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

  it('goes on in another process when the one that holds it dies', async () => {
    const placed = await call([
      { untilStream: 1 },
      { untilHears: 400 },
      { untilStream: 2 },
      { untilHears: 400 },
      { untilQuiet: 800 },
      { hangUp: true },
    ]);
    await waitFor(
      'the agent speaks',
      async () => (await placed.said()).some(({ role, callId }) => role === 'assistant' && callId !== null),
      60_000,
    );
    await media.kill();
    media = await startMedia();
    const row = await placed.ended();

    expect(row).toMatchObject({ status: 'completed', terminationReason: 'completed', failureDetail: null });
    const bridges = await inWorkspace((tx) =>
      tx('call_bridges').where({ call_id: row.id }).whereNotNull('began_at').orderBy('attempt'),
    );
    expect(bridges.length).toBeGreaterThan(1);
  });
});
