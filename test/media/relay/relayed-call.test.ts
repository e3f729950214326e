import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { patchPhoneCall } from '../../../db/calls/phone-calls.js';
import { CallStates } from '../../../domain/agent/voice/call-states.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { SegmentKeeper } from '../../../media/recorder/segment-keeper.js';
import { CallKeeper } from '../../../media/sessions/call-keeper.js';
import { conductCall } from '../../../media/sessions/conduct-call.js';
import { StreamServer, streamPath } from '../../../media/streams/stream-server.js';
import { answerCall } from '../../../providers/carrier/call-answer.js';
import { TwilioCarrier } from '../../../providers/carrier/twilio-carrier.js';
import { OpenAiChatModel } from '../../../providers/model/openai-chat-model.js';
import { OpenAiRealtime } from '../../../providers/realtime/openai-realtime.js';
import { createLogger } from '../../../runtime/logger.js';
import { freePort } from '../../../tools/dev/provision/ports.js';
import type { Plan } from '../../../tools/simulators/carrier/calls/plan.js';
import {
  DEFAULT_ACCOUNT_SID as accountSid,
  DEFAULT_AUTH_TOKEN as authToken,
  startCarrierSimulator,
} from '../../../tools/simulators/carrier/start-carrier-simulator.js';
import { startModelSimulator } from '../../../tools/simulators/model/start-model-simulator.js';
import { answeredCall, tokens } from '../../support/calls/answered-call.js';
import { stageAssignment } from '../../support/chats/staged-assignment.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { simulatedCalls } from '../../support/simulators/simulated-calls.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import { addMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
const handset = '+12025550142';
const root: RevisionTask = {
  name: 'Greet',
  taskType: 'conversation',
  prompt: 'Ask "How are you?"',
  abilities: [{ abilityType: 'handoff' }, { abilityType: 'conclude' }],
  children: [{ name: 'Dog', taskType: 'conversation', prompt: 'Ask "And the dog?"' }],
};

let carrierUrl: string;
let modelUrl: string;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const [carrier, model] = await Promise.all([
    startCarrierSimulator({ port: 0 }),
    startModelSimulator({ port: 0 }),
  ]);
  closing.push(carrier.close, model.close);
  carrierUrl = carrier.url;
  modelUrl = model.url;
});
afterAll(() => Promise.all(closing.map((close) => close())));

/** A media process in this one, the carrier's call, and what the service answers it. */
async function relayed(plan: Plan) {
  const staged = await stageAssignment(workspace, root, {
    member: await addMember(workspace, { role: workspace.roles.member }),
  });
  await staged.advance();
  const call = await answeredCall(workspace, { chatId: staged.chatId });
  const carrier = new TwilioCarrier({ accountSid, authToken, apiBaseUrl: carrierUrl });
  const options = { apiKey: 'key', baseUrl: `${modelUrl}/v1` };
  const models = { chat: new OpenAiChatModel(options), realtime: new OpenAiRealtime(options) };
  const { storage, remove } = scratchStorage();
  onTestFinished(remove);
  const failed: unknown[] = [];
  const { context } = staged;
  const sendRequest = async () => {
    throw new Error('no tool of this suite sends a request');
  };
  const logger = createLogger({ level: 'silent', process: 'media' });
  const keeper = new CallKeeper({
    context,
    admission: { tokens, processId: randomUUID(), callsPerWorkspace: 1_000 },
    segments: new SegmentKeeper({ context, storage, onLost: () => {}, onStored: () => {} }),
    conduct: (held) =>
      conductCall(held, {
        context: { ...context, sendRequest, callStates: new CallStates(context.db) },
        models,
        logger,
      }),
    now: () => performance.now(),
    onRefused: (reason) => void failed.push(reason),
    onFailure: (error) => void failed.push(error),
    onEnded: () => {},
  });
  // Its address is known only once it listens, and is what the carrier signs.
  const port = await freePort();
  const server = new StreamServer({
    publicUrl: `ws://127.0.0.1:${port}`,
    carrier,
    limits: { sockets: 10, beforeStart: 5, startWithinMs: 60_000 },
    mayBegin: () => true,
    admit: (start, stream) => keeper.admit(start, stream),
    admitText: (setup, line) => keeper.admitText(setup, line),
    onRefused: (reason) => void failed.push(reason),
    onFailure: (error) => void failed.push(error),
  });
  await server.listen(port, '127.0.0.1');
  onTestFinished(() => server.close());

  const handler = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/xml' });
    response.end(
      answerCall([
        {
          do: 'relay',
          url: `ws://127.0.0.1:${port}${streamPath}`,
          parameters: call.start().parameters as Record<string, string>,
          resultUrl: `${handlerUrl}/continue`,
        },
      ]),
    );
  });
  handler.listen(0, '127.0.0.1');
  await once(handler, 'listening');
  onTestFinished(() => void handler.close());
  const handlerUrl = `http://127.0.0.1:${(handler.address() as AddressInfo).port}`;

  const calls = simulatedCalls(carrierUrl);
  await calls.plan(handset, { afterMs: 300, ...plan });
  const { carrierCallId } = await carrier.calls.create({
    from: '+15550100001',
    to: handset,
    url: `${handlerUrl}/handler`,
    statusCallback: `${handlerUrl}/status`,
  });
  await workspace.within((tx) => patchPhoneCall(tx, call.callId, { carrierCallId, updatedAt: new Date() }));
  const spoken = async () =>
    (await staged.messages())
      .filter(({ callId, content }) => callId === call.callId && content !== null && content !== '')
      .filter(({ role }) => role !== 'tool');
  return { staged, call, calls, carrierCallId, failed, spoken, keeper };
}

describe('a call that is held by text', { timeout: 60_000 }, () => {
  it('walks the assignment, and leaves a transcript with what was heard', async () => {
    const { staged, calls, carrierCallId, failed, spoken, keeper } = await relayed({
      speed: 4,
      script: [
        { untilStream: 1 },
        { untilQuiet: 2_000 },
        { say: { words: 'Dog please' } },
        { untilHears: 200 },
        { say: { words: 'Wait a moment' } },
        { wait: 6_000 },
      ],
    });
    await waitFor('the member was heard twice', async () => {
      return (await spoken()).filter(({ role }) => role === 'user').length === 2;
    });
    expect(await staged.currentTask()).toBe('Dog');
    await calls.act(carrierCallId, { untilQuiet: 1_000 }, { hangUp: true });
    await keeper.ended();
    const messages = await spoken();
    expect(messages.map(({ role }) => role).slice(0, 2)).toEqual(['assistant', 'user']);
    expect(messages[0]).toMatchObject({ content: expect.stringContaining('How are you?') });
    expect(messages.find(({ content }) => content === 'Wait a moment')).toMatchObject({ author: 'member' });
    const cut = messages.filter(({ truncationReason }) => truncationReason === 'interrupted');
    expect(cut.length).toBeGreaterThanOrEqual(1);
    expect(String(cut[0]?.originalContent).startsWith(String(cut[0]?.content))).toBe(true);
    for (const { audioMetadata, audioFileUuid } of messages) {
      expect(audioMetadata).toMatchObject({ startMs: expect.any(Number), endMs: expect.any(Number) });
      expect(audioFileUuid).toBeNull();
    }
    const ended = await calls.find(carrierCallId);
    expect(ended.relays[0]).toMatchObject({ prompts: ['Dog please', 'Wait a moment'], status: 'completed' });
    expect({ alerts: ended.alerts, failed }).toEqual({ alerts: [], failed: [] });
  });
});
