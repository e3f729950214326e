import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPhoneCallAtCarrier, type PhoneCallRow } from '../../../db/calls/phone-calls.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { TwilioCarrier } from '../../../providers/carrier/twilio-carrier.js';
import { freePort } from '../../../tools/dev/provision/ports.js';
import type { Plan } from '../../../tools/simulators/carrier/calls/plan.js';
import type { KnobValues } from '../../../tools/simulators/carrier/knobs.js';
import { startApi, type TestApi } from '../../support/api/api.js';
import { type CarriedCall, carriedCall, dialMember } from '../../support/calls/carried-call.js';
import { useDatabase } from '../../support/db/use-database.js';
import { catalogueWithoutRealtime } from '../../support/lib/models.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { type ServiceProcess, startMediaProcess } from '../../support/run/service-process.js';
import { calling, type ScriptedReply } from '../../support/simulators/simulated-model.js';
import { createSmsWorkspace, type SmsWorkspace } from '../../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { addPhoneNumber, conversationTasks } from '../../support/workspace/definitions.js';
import { uniquePhone } from '../../support/workspace/factories.js';

/** How a call goes, and what is left of it. */
interface Ending {
  title: string;
  plan: Plan;
  /** Of the member's phone. */
  knobs?: Partial<KnobValues>;
  /** What the agent answers first. */
  agent?: ScriptedReply;
  /** How the phone of the desk takes a transfer. */
  desk?: Plan;
  meanwhile?(call: CarriedCall): Promise<unknown>;
  left: Partial<PhoneCallRow>;
}

const transfer = {
  content: 'I connect you.',
  ...calling('forward_call', { target: 'desk', facts: 'Has a question.' }),
};
const stays = { wait: 120_000 } as const;
const hangUp = { hangUp: true } as const;
/** Leaves once the agent has got the call back. */
const untilItIsBack: Plan = { script: [{ untilStream: 2 }, { untilHears: 200 }, hangUp] };
/** Leaves before the stream is there again. */
const breaks: Plan['script'] = [
  { untilStream: 1 },
  { untilHears: 200 },
  { breakStream: true },
  { untilAsked: 2 },
  { wait: 500 },
  hangUp,
];
const answered = { status: 'completed', carrierStatus: 'completed' } as const;
const forwarded = { status: 'completed', terminationReason: 'forward', failureDetail: null } as const;
const failed = (failureDetail: string) => ({ ...answered, terminationReason: null, failureDetail });

const endings: readonly Ending[] = [
  {
    title: 'completed: the other side hangs up',
    plan: { script: [{ untilStream: 1 }, { untilHears: 200 }, hangUp] },
    left: { ...answered, terminationReason: 'completed', failureDetail: null },
  },
  {
    title: 'hangup: the agent ends it',
    plan: { script: [stays] },
    agent: { content: 'Goodbye.', ...calling('end_call', {}) },
    left: { ...answered, terminationReason: 'hangup', failureDetail: null },
  },
  {
    title: 'forward: a transfer comes about',
    plan: { script: [stays] },
    agent: transfer,
    desk: { script: [{ wait: 200 }, hangUp] },
    left: { ...forwarded, carrierStatus: 'completed' },
  },
  {
    title: 'forward: a colleague transfers it',
    plan: { script: [stays] },
    meanwhile: async (call) => {
      await spoken(call);
      const path = `/phone-calls/${call.callId}`;
      expect((await workspace.asAdmin('GET', `${path}/transfer-targets`)).body.items).toEqual([
        { name: 'desk' },
      ]);
      const { status } = await workspace.asAdmin('POST', `${path}/transfer`, { target: 'desk' });
      expect(status).toBe(200);
    },
    desk: { script: [{ wait: 200 }, hangUp] },
    left: { ...forwarded, carrierStatus: 'completed' },
  },
  ...(['busy', 'no-answer', 'failed'] as const).map((outcome) => ({
    title: `forward, ${outcome}: the call comes back to the agent`,
    plan: untilItIsBack,
    agent: transfer,
    desk: { outcome, afterMs: 100 },
    left: { ...forwarded, carrierStatus: outcome },
  })),
  {
    title: 'forward, canceled: the caller leaves while the desk rings',
    plan: { script: [{ untilAsked: 2 }, { wait: 400 }, hangUp] },
    agent: transfer,
    desk: { afterMs: 120_000 },
    left: { ...forwarded, carrierStatus: 'canceled' },
  },
  {
    title: 'handoff: the chat is archived',
    plan: { script: [stays] },
    meanwhile: async (call) => {
      await spoken(call);
      await workspace.asAdmin('PUT', `/chats/${call.chatId}`, { archived: true });
    },
    left: { ...answered, terminationReason: 'handoff', failureDetail: null },
  },
  {
    title: 'handoff: a person takes the chat over',
    plan: { script: [stays] },
    meanwhile: async (call) => {
      await spoken(call);
      await workspace.asAdmin('PUT', `/chats/${call.chatId}`, { assistantEnabled: false });
    },
    left: { ...answered, terminationReason: 'handoff', failureDetail: null },
  },
  {
    title: 'voicemail: a machine answers',
    plan: { answeredBy: 'machine', detectedAfterMs: 300, script: [stays] },
    left: {
      ...answered,
      terminationReason: 'voicemail',
      answeredBy: 'machine_end_beep',
      failureDetail: null,
    },
  },
  {
    title: 'amd_unknown: it cannot be told who answered, and nobody is heard',
    plan: { answeredBy: 'unknown', script: [{ untilStream: 1 }, { untilHears: 200 }, hangUp] },
    left: { ...answered, terminationReason: 'amd_unknown', answeredBy: 'unknown', failureDetail: null },
  },
  {
    title: 'fax_t30_failed: a fax answers',
    plan: { answeredBy: 'fax', detectedAfterMs: 300, script: [stays] },
    left: failed('fax_t30_failed'),
  },
  {
    title: 'never_connected: it is hung up before its sound comes',
    plan: { script: [{ untilAsked: 1 }, { wait: 200 }, hangUp] },
    knobs: { streamAfterMs: 60_000 },
    left: failed('never_connected'),
  },
  {
    title: 'connection_reset: the stream breaks, and the other side leaves',
    plan: { script: breaks },
    knobs: { streamAfterMs: 2_000, lostCallEvents: ['stream-error'] },
    left: failed('connection_reset'),
  },
  {
    title: 'stream_reset: the carrier reports an error of the stream',
    plan: { script: breaks },
    knobs: { streamAfterMs: 2_000 },
    left: failed('stream_reset'),
  },
  {
    title: 'completed: the stream breaks, and is opened again',
    plan: {
      script: [
        { untilStream: 1 },
        { untilHears: 200 },
        { breakStream: true },
        { untilStream: 2 },
        { untilHears: 200 },
        hangUp,
      ],
    },
    left: { ...answered, terminationReason: 'completed', failureDetail: null },
  },
  {
    title: 'error: the model takes no more requests',
    plan: { script: [stays] },
    agent: { status: 429, error: 'insufficient_quota' },
    left: failed('error'),
  },
  {
    title: 'completed: every report of the carrier comes twice, late and out of order',
    plan: { script: [{ untilStream: 1 }, { untilHears: 200 }, hangUp] },
    knobs: { doubled: true, outOfOrder: true, late: [0, 200], prefetched: true, askedTwice: true },
    left: { ...answered, terminationReason: 'completed', failureDetail: null },
  },
];

const testDatabase = useDatabase();
let system: TestSystem;
let workspace: SmsWorkspace;
let media: ServiceProcess;
let streamUrl: string;
let placed: Map<string, Promise<CarriedCall>>;

const spoken = (call: CarriedCall) =>
  waitFor(
    'the agent speaks',
    async () => (await call.said()).some(({ role }) => role === 'assistant'),
    90_000,
  );

function talk(deskPhone: string): RevisionTask {
  const root = conversationTasks();
  const targets = [{ name: 'desk', phoneNumber: deskPhone }];
  return {
    ...root,
    abilities: [
      ...(root.abilities ?? []),
      { abilityType: 'end_call' },
      { abilityType: 'forward_call', config: { targets, ringSeconds: 20 } },
    ],
  };
}

async function begin({ title, plan, knobs, agent, desk, meanwhile }: Ending, phoneNumberId: number) {
  const texter = await workspace.addTexter(`Caller ${endings.findIndex((one) => one.title === title)}x`);
  const deskPhone = uniquePhone();
  if (desk !== undefined) await system.carrier.calls.plan(deskPhone, desk);
  if (knobs !== undefined) await system.carrier.turn({ ...knobs, handset: texter.phone });
  if (agent !== undefined) {
    // To each request, whichever comes first.
    await system.model.script(Array(5).fill(agent), texter.row.name ?? '');
  }
  const workflowId = await workspace.publish(talk(deskPhone));
  const call = await dialMember(system, workspace, { plan, workflowId, phoneNumberId, texter });
  await meanwhile?.(call);
  return call;
}

beforeAll(async () => {
  const port = await freePort();
  streamUrl = `ws://127.0.0.1:${port}/api/v2/call-streams`;
  system = await startSystem({ testDatabase, streamUrl });
  workspace = await createSmsWorkspace(system);
  media = await startMediaProcess({
    system,
    testDatabase,
    publicUrl: system.api.baseUrl,
    env: { MEDIA_PUBLIC_URL: `ws://127.0.0.1:${port}`, MEDIA_PORT: String(port) },
  });
  const { id } = await addPhoneNumber(workspace, { voiceEnabled: true });
  // All of them at once; each test waits for its own.
  placed = new Map(endings.map((ending) => [ending.title, begin(ending, id)]));
  for (const call of placed.values()) call.catch(() => undefined);
}, 180_000);
afterAll(async () => {
  await media?.stop();
  await system?.stop();
});

describe('a call that is answered ends as', { timeout: 120_000 }, () => {
  it.each(endings)('$title', async ({ title, left }) => {
    const call = await placed.get(title);
    if (call === undefined) throw new Error('the call was not placed');
    const row = await call.ended();
    expect(row).toMatchObject(left);
    expect((await call.endedAtCarrier()).status).toBe('completed');
  });
});

/** A person calls a number; the api at `baseUrl` is asked what the call is to do. */
async function ring(
  { voiceEnabled = true, baseUrl = system.api.baseUrl }: { voiceEnabled?: boolean; baseUrl?: string },
  more: { script?: Plan['script']; shownAs?: string } = {},
) {
  const texter = await workspace.addTexter();
  const inboundWorkflowId = await workspace.publish(talk(uniquePhone()));
  const { number } = await addPhoneNumber(workspace, { voiceEnabled, inboundWorkflowId });
  const urls = `${baseUrl}/api/v2/carrier-calls`;
  await system.carrier.calls.route(number, { voiceUrl: `${urls}/inbound`, voiceStatusUrl: `${urls}/status` });
  const { script, ...shown } = more;
  const { sid } = await system.carrier.calls.ring(texter.phone, number, {
    ...shown,
    ...(script === undefined ? {} : { script }),
  });
  const row = await waitFor('the call is known', () =>
    system.database.inWorkspace(workspace.workspaceId, (tx) => findPhoneCallAtCarrier(tx, sid)),
  );
  const chatId = row.chatId ?? 0;
  return { sid, call: carriedCall(system, workspace, { texter, chatId, callId: row.id }) };
}

describe('a call that comes in ends as', { timeout: 120_000 }, () => {
  it('completed: it is taken, and the other side hangs up', async () => {
    const { call } = await ring({}, { script: [{ untilStream: 1 }, { untilHears: 200 }, hangUp] });
    expect(await call.ended()).toMatchObject({
      ...answered,
      inbound: true,
      terminationReason: 'completed',
      failureDetail: null,
    });
  });

  it.each([
    ['voice_disabled: the number has no calls', { voiceEnabled: false }, {}, 'voice_disabled'],
    ['anonymous_rejected: the number is withheld', {}, { shownAs: 'anonymous' }, 'anonymous_rejected'],
  ] as const)('%s', async (_, number, more, terminationReason) => {
    const { sid, call } = await ring(number, more);
    expect(await call.ended()).toMatchObject({
      inbound: true,
      status: 'canceled',
      terminationReason,
      failureDetail: null,
      settledAt: expect.any(Date),
    });
    const { status } = await waitFor('the carrier has ended it', async () => {
      const found = await system.carrier.calls.find(sid);
      return found.endedAt !== null && found;
    });
    expect(status).toBe('no-answer');
  });
});

describe('a call without a realtime model', { timeout: 120_000 }, () => {
  let textApi: TestApi;
  beforeAll(async () => {
    textApi = await startApi(system.database, {
      runs: system.runs,
      carrier: new TwilioCarrier(system.carrier.credentials),
      models: catalogueWithoutRealtime(),
      storage: system.storage,
      streamUrl,
    });
  });
  afterAll(() => textApi?.close());

  it('is held by text through api, run and media process, and walks the workflow', async () => {
    const { sid, call } = await ring(
      { baseUrl: textApi.baseUrl },
      { script: [{ untilStream: 1 }, { untilQuiet: 500 }, { say: { words: 'It went well' } }, stays] },
    );
    expect(await call.ended()).toMatchObject({
      ...answered,
      terminationReason: 'hangup',
      failureDetail: null,
    });
    const said = (await call.said()).filter(({ content, role }) => content !== null && role !== 'tool');
    expect(said.map(({ role }) => role).slice(0, 2)).toEqual(['assistant', 'user']);
    expect(said[1]).toMatchObject({ content: 'It went well', audioMetadata: { phoneCallId: call.callId } });
    const { relays, streams, alerts } = await system.carrier.calls.find(sid);
    expect({ relays: relays.length, streams, alerts }).toEqual({ relays: 1, streams: [], alerts: [] });
    const { body: chat } = await workspace.asAdmin('GET', `/chats/${call.chatId}`);
    const { body: assignment } = await workspace.asAdmin('GET', `/assignments/${chat.assignmentId}`);
    expect(assignment).toMatchObject({ status: 'completed', outcome: 'good' });
  });
});
