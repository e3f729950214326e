import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DEFAULT_AUTH_TOKEN } from '../../../../../tools/simulators/carrier/start-carrier-simulator.js';
import { simulatedCalls } from '../../../../support/simulators/simulated-calls.js';
import { handset, number, useCalls } from './simulated-calls.js';
import { eventually, type ServiceStream } from './voice-service.js';

const calls = useCalls();

const connect = (more = '') =>
  `<Connect><Stream url="${calls.service.streamUrl}" statusCallback="${calls.service.url}/stream">` +
  `<Parameter name="token" value="a&amp;b"/>${more}</Stream></Connect>`;

/** A call whose handler answers with a stream, and then says goodbye. */
async function streaming(): Promise<ServiceStream> {
  calls.service.answer('/handler', `${connect()}<Redirect>${calls.service.url}/continue</Redirect>`);
  calls.service.answer('/continue', '<Say>Goodbye</Say>');
  await calls.dial();
  return calls.service.stream();
}

const events = () => calls.service.to('/stream').map(({ fields }) => fields.StreamEvent);
const record = async () => (await calls.call()).streams[0];
const alerts = async () => (await calls.call()).alerts.map(({ code }) => code);

describe('a stream of the carrier simulator', () => {
  test('opens a signed socket without the query, and says what it is for', async () => {
    calls.service.answer('/handler', connect().replace('/call-streams', '/call-streams?token=lost'));
    await calls.dial();
    const { upgrade, messages, id } = await calls.service.stream();
    expect(upgrade.url).toBe('/call-streams');
    const signature = createHmac('sha1', DEFAULT_AUTH_TOKEN).update(calls.service.streamUrl).digest('base64');
    expect(upgrade.headers).toMatchObject({ 'x-twilio-signature': signature });
    expect(upgrade.headers).not.toHaveProperty('origin');
    expect(upgrade.headers).not.toHaveProperty('sec-websocket-extensions');

    const { sid } = await calls.call();
    expect(messages[0]).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    expect(messages[1]).toMatchObject({
      event: 'start',
      sequenceNumber: '1',
      streamSid: id,
      start: {
        streamSid: id,
        callSid: sid,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
        customParameters: { token: 'a&b' },
      },
    });
    await eventually(events).toEqual(['stream-started']);
    expect(calls.isSigned('/stream')).toBe(true);
  });

  test('sends a frame for every 20 ms, numbered, whether the person speaks or not', async () => {
    const stream = await streaming();
    const bytes = Buffer.from([...Array(480).keys()].map((index) => index % 127));
    await calls.run([{ say: { base64: bytes.toString('base64') } }, { wait: 100 }]);
    const frames = (await stream.has('media', 8)).map(({ sequenceNumber, media }) => ({
      sequenceNumber,
      ...media,
    }));
    frames.slice(0, 8).forEach((frame, place) => {
      expect(frame).toMatchObject({
        sequenceNumber: String(place + 2),
        track: 'inbound',
        chunk: String(place + 1),
        timestamp: String(place * 20),
      });
      expect(Buffer.from(frame.payload ?? '', 'base64')).toHaveLength(160);
    });
    const said = Buffer.concat(frames.map(({ payload = '' }) => Buffer.from(payload, 'base64')));
    expect(said.includes(bytes)).toBe(true);
    expect(said.subarray(0, 160)).toEqual(Buffer.alloc(160, 0xff));
  });

  test('gives marks back when what was sent before them was played, and at once if nothing is left', async () => {
    const stream = await streaming();
    stream.mark('nothing before');
    stream.play(200);
    stream.mark('first');
    stream.play(200);
    stream.mark('second');
    await stream.has('mark', 3);
    expect(stream.marks()).toEqual(['nothing before', 'first', 'second']);
    const [first = 0, second = 0] = ['first', 'second'].map((name) =>
      stream.messages.findIndex(({ mark }) => mark?.name === name),
    );
    const between = stream.messages.slice(first, second).filter(({ event }) => event === 'media');
    expect(between.length).toBeGreaterThanOrEqual(9);
    await eventually(async () => (await record())?.playedMs).toBe(400);
  });

  test('plays nothing more after clear, and gives the marks back that wait', async () => {
    const stream = await streaming();
    stream.play(100_000);
    stream.mark('end');
    await calls.run([{ untilHears: 100 }]);
    stream.send({ event: 'clear' });
    await stream.has('mark');
    const { playedMs = 0, droppedMs = 0, clears, marks } = (await record()) ?? {};
    expect(playedMs).toBeGreaterThanOrEqual(100);
    expect(playedMs + droppedMs).toBe(100_000);
    expect({ clears, marks }).toEqual({ clears: 1, marks: [{ name: 'end', state: 'cleared' }] });
    await calls.run([{ wait: 200 }]);
    expect((await record())?.playedMs).toBe(playedMs);
  });

  test('tells which keys were pressed', async () => {
    const stream = await streaming();
    await calls.run([{ keys: '12#' }]);
    const pressed = (await stream.has('dtmf', 3)).map(({ dtmf }) => dtmf);
    expect(pressed).toEqual(['1', '2', '#'].map((digit) => ({ track: 'inbound_track', digit })));
  });

  test('withholds frames and sends them at once, or loses them, by a step', async () => {
    const stream = await streaming();
    await calls.run([{ stall: 200 }, { wait: 400 }, { drop: 3 }, { wait: 200 }]);
    const times = (await stream.has('media', 24)).map(({ media }) => Number(media?.timestamp));
    expect([...times].sort((one, other) => one - other)).toEqual(times);
    const lost = times.filter((time, place) => place > 0 && time - (times[place - 1] ?? 0) > 20);
    expect(lost).toHaveLength(1);
    const numbers = stream.messages.slice(1).map(({ sequenceNumber }) => Number(sequenceNumber));
    expect(numbers).toEqual(numbers.map((_, place) => place + 1));
  });

  test('keeps what was said and what was heard, in step', async () => {
    await calls.plan({ speed: 2, script: [{ untilHears: 60 }, { say: { ms: 60 } }] });
    const stream = await streaming();
    stream.play(100_000);
    const { sid } = await calls.call();
    const kept = () => simulatedCalls(calls.url).audio(sid);
    const isSaid = (byte: number) => byte !== 0xff;
    await eventually(async () => (await kept()).said.filter(isSaid).length).toBe(480);
    const { said, played } = await kept();
    expect(said.length).toBe(played.length);
    const [heardAt, saidAt] = [played.indexOf(0x10), said.findIndex(isSaid)];
    expect(played.subarray(heardAt).every((byte) => byte === 0x10)).toBe(true);
    expect(saidAt - heardAt).toBe(480);
  });
});

describe('the end of a stream of the carrier simulator', () => {
  test('by the service goes on with the next verb', async () => {
    const stream = await streaming();
    stream.socket.close(1000);
    const call = await calls.ended();
    expect(call).toMatchObject({ heard: [{ say: 'Goodbye' }], alerts: [], streams: [{ end: 'service' }] });
    expect(stream.of('stop')).toEqual([]);
    await eventually(events).toEqual(['stream-started', 'stream-stopped']);
  });

  test('by a process that dies is an error, and goes on with the next verb', async () => {
    (await streaming()).socket.terminate();
    const call = await calls.ended();
    expect(call).toMatchObject({ heard: [{ say: 'Goodbye' }], streams: [{ end: 'error' }] });
    expect(await alerts()).toEqual([31903]);
    await eventually(events).toEqual(['stream-started', 'stream-error']);
  });

  test('by the carrier’s own failure comes without a stop', async () => {
    const stream = await streaming();
    await calls.run([{ breakStream: true }]);
    await calls.ended();
    expect(stream.of('stop')).toEqual([]);
    expect(stream.closed).toBe(1006);
    expect(await alerts()).toEqual([31903]);
  });

  test.each([
    ['the person hangs up', () => calls.run([{ hangUp: true }])],
    ['the account ends the call', async () => calls.carrier.calls.end((await calls.call()).sid)],
  ])('is told by stop when %s, and no verb follows', async (_, end) => {
    const stream = await streaming();
    await end();
    const call = await calls.ended();
    await eventually(() => stream.closed).toBe(1000);
    expect(stream.messages.at(-1)).toMatchObject({ event: 'stop', stop: { callSid: call.sid } });
    expect(call).toMatchObject({ status: 'completed', heard: [], streams: [{ end: 'stop' }] });
    expect(calls.service.to('/continue')).toEqual([]);
    await eventually(events).toEqual(['stream-started', 'stream-stopped']);
  });

  test('is told by stop when the call goes elsewhere, which does not end it', async () => {
    const stream = await streaming();
    const { sid } = await calls.call();
    calls.service.answer('/elsewhere', '<Say>Moved</Say><Pause length="600"/>');
    await calls.carrier.calls.redirect(sid, { url: `${calls.service.url}/elsewhere` });
    await stream.has('stop');
    await eventually(async () => (await calls.call()).heard).toMatchObject([{ say: 'Moved' }]);
    expect(await calls.call()).toMatchObject({ status: 'in-progress', streams: [{ end: 'stop' }] });
  });

  test('comes before its beginning when the person leaves after the handler has answered', async () => {
    await calls.turn({ streamAfterMs: 600_000 });
    await calls.plan({ script: [{ untilAsked: 1 }, { hangUp: true }] });
    calls.service.answer('/handler', `${connect()}<Say>Never</Say>`);
    await calls.dial();
    const nothing = { heard: [], streams: [], alerts: [] };
    expect(await calls.ended()).toMatchObject({
      status: 'completed',
      asked: [{ httpStatus: 200 }],
      ...nothing,
    });
    expect([calls.service.streams, events()]).toEqual([[], []]);
  });

  test('by a service that does not answer the close takes no longer than a second', async () => {
    const stream = await streaming();
    stream.socket.pause();
    await calls.run([{ hangUp: true }]);
    await eventually(async () => (await record())?.end).toBe('stop');
  });

  test.each([
    ['the service refuses the socket', 31920, () => calls.service.refuseStreams(403)],
    [
      'nobody listens',
      31920,
      () => calls.service.answer('/handler', '<Connect><Stream url="ws://127.0.0.1:9"/></Connect>'),
    ],
    [
      'the scheme is another',
      31941,
      () => calls.service.answer('/handler', '<Connect><Stream url="https://media.example"/></Connect>'),
    ],
    [
      'a parameter is too long',
      12200,
      () => calls.service.answer('/handler', connect(`<Parameter name="x" value="${'x'.repeat(501)}"/>`)),
    ],
  ])('comes at once when %s', async (_, code, prepare) => {
    calls.service.answer('/handler', connect());
    prepare();
    await calls.dial();
    expect((await calls.ended()).streams).toEqual([]);
    expect(await alerts()).toEqual([code]);
  });
});

describe('what a stream of the carrier simulator does not take', () => {
  test.each([
    ['no JSON', (stream: ServiceStream) => stream.socket.send('{')],
    ['another stream', (stream: ServiceStream) => stream.send({ event: 'clear', streamSid: 'MZ1' })],
    ['an unknown event', (stream: ServiceStream) => stream.send({ event: 'pause' })],
    ['no payload', (stream: ServiceStream) => stream.send({ event: 'media', media: {} })],
    [
      'a payload that is no base64',
      (stream: ServiceStream) => stream.send({ event: 'media', media: { payload: '*' } }),
    ],
    ['a mark without a name', (stream: ServiceStream) => stream.send({ event: 'mark', mark: {} })],
    ['a mark that is a text', (stream: ServiceStream) => stream.send({ event: 'mark', mark: 'first' })],
  ])('is left out with a warning, once: %s', async (_, send) => {
    const stream = await streaming();
    send(stream);
    send(stream);
    stream.play(40);
    stream.mark('after');
    await stream.has('mark');
    expect(stream.marks()).toEqual(['after']);
    expect(await alerts()).toEqual([31951]);
    expect((await record())?.playedMs).toBe(40);
  });

  test('breaks the stream if it is binary', async () => {
    const stream = await streaming();
    stream.socket.send(Buffer.from([1, 2, 3]));
    await calls.ended();
    expect(await alerts()).toEqual([31924]);
  });
});

describe('a call that comes in at the carrier simulator', () => {
  const voiceNumber = (more: object = {}) => {
    const { url } = calls.service;
    const urls = { voiceUrl: `${url}/inbound`, voiceStatusUrl: `${url}/status`, ...more };
    return calls.ask('PUT', `/simulator/numbers/${encodeURIComponent(number)}`, urls);
  };
  const ring = (more: object = {}) =>
    calls.ask('POST', `/simulator/handsets/${encodeURIComponent(handset)}/calls`, {
      to: number,
      speed: 20,
      ...more,
    });

  test('asks while it rings, is answered by the first verb, and has its end reported', async () => {
    await voiceNumber();
    calls.service.answer('/inbound', connect());
    expect((await ring({ script: [{ untilStream: 1 }, { say: { ms: 40 } }, { hangUp: true }] })).status).toBe(
      201,
    );
    const call = await calls.ended();
    expect(call.history.map(({ status }) => status)).toEqual(['ringing', 'in-progress', 'completed']);
    const about = { From: handset, To: number, Direction: 'inbound', CallStatus: 'ringing' };
    expect(calls.service.to('/inbound')[0]).toMatchObject({ fields: about });
    await eventually(calls.reported).toEqual(['completed']);
    expect(calls.isSigned('/inbound')).toBe(true);
  });

  test.each([
    ['busy', 'busy'],
    ['rejected', 'no-answer'],
  ])('is rejected as %s', async (reason, status) => {
    await voiceNumber();
    calls.service.answer('/inbound', `<Reject reason="${reason}"/>`);
    await ring();
    expect(await calls.ended()).toMatchObject({ status, answeredAt: null, durationSeconds: null });
  });

  test('shows the caller id that the carrier tells', async () => {
    await voiceNumber();
    calls.service.answer('/inbound', '<Reject/>');
    await ring({ shownAs: 'anonymous' });
    await calls.ended();
    expect(calls.service.to('/inbound')[0]?.fields).toMatchObject({ From: 'anonymous', Caller: 'anonymous' });
  });

  test('asks the fallback when the address fails', async () => {
    await voiceNumber({ voiceFallbackUrl: `${calls.service.url}/fallback` });
    calls.service.answer('/inbound', (response) => response.writeHead(500).end());
    calls.service.answer('/fallback', '<Say>Later</Say>');
    await ring();
    expect((await calls.ended()).heard).toMatchObject([{ say: 'Later' }]);
    expect(calls.service.to('/fallback')[0]?.fields).toMatchObject({ ErrorCode: '11200' });
  });

  test('needs a number that has a voiceUrl', async () => {
    expect((await ring()).status).toBe(409);
  });
});
