import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Step } from '../../../../../tools/simulators/carrier/calls/plan.js';
import { DEFAULT_AUTH_TOKEN } from '../../../../../tools/simulators/carrier/start-carrier-simulator.js';
import { simulatedCalls } from '../../../../support/simulators/simulated-calls.js';
import { handset, number, useCalls } from './simulated-calls.js';
import { eventually, type ServiceStream } from './voice-service.js';

const calls = useCalls();

interface RelayMessage {
  type: string;
  [field: string]: unknown;
}

const messages = ({ messages: all }: ServiceStream) => all as unknown as RelayMessage[];
const of = (stream: ServiceStream, type: string) =>
  messages(stream).filter((message) => message.type === type);

const usual = 'interruptible="any" dtmfDetection="true" events="speaker-events"';
const connect = (attributes = usual, more = '') =>
  `<Connect action="${calls.service.url}/continue">` +
  `<ConversationRelay url="${calls.service.streamUrl}" ${attributes}>` +
  `<Parameter name="token" value="a&amp;b"/>${more}</ConversationRelay></Connect><Say>Never</Say>`;

async function relaying(attributes = usual, script: Step[] = []): Promise<ServiceStream> {
  calls.service.answer('/handler', connect(attributes));
  calls.service.answer('/continue', '<Say>Goodbye</Say>');
  await calls.plan({ script });
  await calls.dial();
  return opened();
}

async function opened(): Promise<ServiceStream> {
  await eventually(() => calls.service.streams[0] && of(calls.service.streams[0], 'setup').length).toBe(1);
  return calls.service.streams[0] as ServiceStream;
}

const send = (stream: ServiceStream, ...sent: object[]) => {
  for (const message of sent) stream.socket.send(JSON.stringify(message));
};
const text = (token: string, last = true) => ({ type: 'text', token, last });
/** It takes half a minute to say, longer than any step of a test. */
const longText = `One two three ${'and so on '.repeat(100)}.`;
const record = async () => (await calls.call()).relays[0];
const alerts = async () => (await calls.call()).alerts.map(({ code }) => code);
const told = () => calls.service.to('/continue')[0]?.fields;

describe('a session of text of the carrier simulator', () => {
  test('opens a signed socket, and says what it is for', async () => {
    const stream = await relaying();
    const signature = createHmac('sha1', DEFAULT_AUTH_TOKEN).update(calls.service.streamUrl).digest('base64');
    expect(stream.upgrade.headers).toMatchObject({ 'x-twilio-signature': signature });
    const { sid } = await calls.call();
    expect(messages(stream)[0]).toMatchObject({
      type: 'setup',
      sessionId: (await record())?.sid,
      callSid: sid,
      from: number,
      to: handset,
      direction: 'outbound-api',
      customParameters: { token: 'a&b' },
    });
  });

  test('writes down what the person says, and tells which keys were pressed', async () => {
    const stream = await relaying('language="de-DE" dtmfDetection="true"');
    await calls.run([{ say: { words: 'Grüß Gott' } }, { wait: 400 }, { keys: '1#' }]);
    await eventually(() => of(stream, 'dtmf')).toEqual(['1', '#'].map((digit) => ({ type: 'dtmf', digit })));
    await eventually(() => of(stream, 'prompt')).toEqual([
      { type: 'prompt', voicePrompt: 'Grüß Gott', lang: 'de-DE', last: true },
    ]);
    expect(of(stream, 'info')).toEqual([]);
  });

  test('tells no keys unless it is asked to', async () => {
    const stream = await relaying('events="speaker-events"');
    await calls.run([{ keys: '1' }, { say: { words: 'One' } }, { wait: 400 }]);
    await eventually(() => of(stream, 'prompt').length).toBe(1);
    expect(of(stream, 'dtmf')).toEqual([]);
  });

  test('speaks whole sentences, and the rest with the last token', async () => {
    const stream = await relaying();
    send(stream, text('How ', false), text('are you? And', false));
    const spoken = async () => {
      const { sid } = await calls.call();
      return (await simulatedCalls(calls.url).audio(sid)).played.filter((byte) => byte !== 0xff).length;
    };
    const told = () => of(stream, 'info').map(({ name, value }) => `${name} ${value}`);
    await eventually(spoken).toBe('How are you?'.length * 40 * 8);
    await eventually(told).toEqual(['agentSpeaking on', 'agentSpeaking off']);
    expect((await record())?.heard).toEqual([]);
    send(stream, text(' now', false), text(''));
    await eventually(async () => (await record())?.heard).toEqual(['How are you? And now']);
    await eventually(told).toEqual([
      'agentSpeaking on',
      'agentSpeaking off',
      'agentSpeaking on',
      'agentSpeaking off',
    ]);
  });

  test.each([
    ['words', { say: { words: 'Stop' } }, 'any', 1],
    ['a cough', { say: { ms: 200 } }, 'any', 0],
    ['a key', { keys: '1' }, 'any', 0],
    ['a key, if keys may', { keys: '1' }, 'dtmf', 0],
  ] satisfies [string, Step, string, number][])(
    'is interrupted by %s, and tells what was heard until then',
    async (_, step, interruptible, prompts) => {
      const stream = await relaying(`interruptible="${interruptible}" dtmfDetection="true"`);
      send(stream, text(longText));
      await calls.run([{ untilHears: 600 }, step, { wait: 400 }]);
      await eventually(() => of(stream, 'interrupt').length).toBe(1);
      const [interrupt] = of(stream, 'interrupt');
      const { utteranceUntilInterrupt: heard, durationUntilInterruptMs: ms } = interrupt as RelayMessage;
      // A character takes 40 ms.
      expect(heard).toMatch(/^One two three a/);
      expect(ms).toBeGreaterThanOrEqual(600);
      expect((await record())?.heard).toEqual([heard]);
      await eventually(() => of(stream, 'prompt').length).toBe(prompts);
      send(stream, text('Yes?'));
      await eventually(async () => (await record())?.heard.at(-1)).toBe('Yes?');
    },
  );

  test('is not interrupted by words if only keys may', async () => {
    const stream = await relaying('interruptible="dtmf"');
    send(stream, text('One two three, and so on.'));
    await calls.run([{ untilHears: 100 }, { say: { words: 'Stop' } }, { untilQuiet: 400 }]);
    await eventually(async () => (await record())?.heard).toEqual(['One two three, and so on.']);
    expect(of(stream, 'interrupt')).toEqual([]);
  });

  test('tells the duration as a text, by the knob', async () => {
    await calls.turn({ durationsAsText: true });
    const stream = await relaying();
    send(stream, text(longText));
    await calls.run([{ untilHears: 100 }, { say: { ms: 100 } }]);
    await eventually(() => of(stream, 'interrupt')[0]?.durationUntilInterruptMs).toMatch(/^\d+$/);
  });

  test('tells nothing of the speakers if that is lost', async () => {
    await calls.turn({ lostCallEvents: ['agentSpeaking', 'clientSpeaking'] });
    const stream = await relaying();
    send(stream, text('One.'));
    await eventually(async () => (await record())?.heard).toEqual(['One.']);
    await calls.run([{ say: { words: 'Two' } }, { wait: 400 }]);
    await eventually(() => of(stream, 'prompt').length).toBe(1);
    expect(of(stream, 'info')).toEqual([]);
  });

  test.each([
    ['no JSON', '{'],
    ['an unknown type', '{"type":"stop"}'],
    ['an unknown field', '{"type":"text","token":"Yes","final":true}'],
    ['no token', '{"type":"text","last":true}'],
    ['data that is no text', '{"type":"end","handoffData":{}}'],
  ])('refuses %s, and goes on', async (_, refused) => {
    const stream = await relaying();
    stream.socket.send(refused);
    send(stream, text('Still there?'));
    await eventually(async () => (await record())?.heard).toEqual(['Still there?']);
    expect(of(stream, 'error')).toEqual([
      { type: 'error', description: `Invalid message received: ${refused}` },
    ]);
    expect(await alerts()).toEqual([64_107]);
  });
});

describe('the end of a session of text of the carrier simulator', () => {
  test('by the service is told with its data, and what was not spoken yet is dropped', async () => {
    const stream = await relaying();
    send(stream, text(longText));
    await calls.run([{ untilHears: 100 }]);
    send(stream, { type: 'end', handoffData: '{"reason":"done"}' });
    const call = await calls.ended();
    expect(call).toMatchObject({ heard: [{ say: 'Goodbye' }], alerts: [] });
    expect(call.relays).toMatchObject([{ status: 'ended', handoffData: '{"reason":"done"}', heard: [] }]);
    expect(told()).toMatchObject({ SessionStatus: 'ended', HandoffData: '{"reason":"done"}' });
    expect(Number(told()?.SessionDuration)).toBeGreaterThan(0);
    expect(calls.isSigned('/continue')).toBe(true);
  });

  test.each([
    ['closed without a message', (stream: ServiceStream) => stream.socket.close(1000)],
    ['lost by the service', (stream: ServiceStream) => stream.socket.terminate()],
    ['lost by the carrier', () => calls.run([{ breakStream: true }])],
  ])('is a failure if the socket was %s', async (_, end) => {
    await end(await relaying());
    expect(await calls.ended()).toMatchObject({
      heard: [{ say: 'Goodbye' }],
      relays: [{ status: 'failed' }],
    });
    expect(await alerts()).toEqual([64_105]);
    expect(told()).toMatchObject({ SessionStatus: 'failed', ErrorCode: '64105' });
  });

  test('is told after the person has hung up, and its answer is not heard', async () => {
    const stream = await relaying();
    await calls.run([{ hangUp: true }]);
    await eventually(told).toMatchObject({ SessionStatus: 'completed', CallStatus: 'completed' });
    await eventually(() => stream.closed).toBe(1000);
    expect(await calls.ended()).toMatchObject({ heard: [], relays: [{ status: 'completed' }], alerts: [] });
  });

  test('is not told when the call goes elsewhere', async () => {
    const stream = await relaying();
    calls.service.answer('/elsewhere', '<Pause length="600"/>');
    await calls.carrier.calls.redirect((await calls.call()).sid, { url: `${calls.service.url}/elsewhere` });
    await eventually(() => stream.closed).toBe(1000);
    expect(calls.service.to('/continue')).toEqual([]);
  });

  test.each([
    ['the service refuses the socket', 64_102, () => calls.service.refuseStreams(403), usual],
    ['the language is unknown', 64_101, () => undefined, 'language="xx-XX"'],
    ['what may interrupt is unknown', 64_101, () => undefined, 'interruptible="words"'],
  ])('comes at once when %s', async (_, code, prepare, attributes) => {
    prepare();
    calls.service.answer('/handler', connect(attributes));
    calls.service.answer('/continue', '<Say>Goodbye</Say>');
    await calls.dial();
    expect(await calls.ended()).toMatchObject({ heard: [{ say: 'Goodbye' }], relays: [] });
    expect(await alerts()).toEqual([code]);
    expect(told()).toMatchObject({ SessionStatus: 'failed' });
  });
});
