import { once } from 'node:events';
import { connect } from 'node:net';
import twilio from 'twilio';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { CarrierSocket } from '../../../media/streams/carrier-socket.js';
import type { RelaySocket } from '../../../media/streams/relay-socket.js';
import {
  type RelaySetup,
  StreamServer,
  type StreamServerOptions,
  type StreamStart,
  streamPath,
} from '../../../media/streams/stream-server.js';
import { TwilioCarrier } from '../../../providers/carrier/twilio-carrier.js';
import { waitFor } from '../../support/lib/wait-for.js';

const authToken = 'secret of the carrier';
const carrier = new TwilioCarrier({ accountSid: `AC${'0'.repeat(32)}`, authToken });
const publicUrl = 'wss://media.example.com';
const sign = (url: string) => twilio.getExpectedTwilioSignature?.(authToken, url, {}) ?? '';
const signed = { 'X-Twilio-Signature': sign(`${publicUrl}${streamPath}`) };

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

interface Told {
  admitted: { start: StreamStart; stream: CarrierSocket }[];
  texts: { setup: RelaySetup; line: RelaySocket }[];
  refused: string[];
  failed: unknown[];
}

async function serve(options: Partial<StreamServerOptions> = {}) {
  const told: Told = { admitted: [], texts: [], refused: [], failed: [] };
  const server = new StreamServer({
    publicUrl,
    carrier,
    limits: { sockets: 10, beforeStart: 5, startWithinMs: 60_000 },
    mayBegin: () => true,
    admit: (start, stream) => void told.admitted.push({ start, stream }),
    admitText: (setup, line) => void told.texts.push({ setup, line }),
    onRefused: (reason) => void told.refused.push(reason),
    onFailure: (error) => void told.failed.push(error),
    ...options,
  });
  const port = await server.listen(0, '127.0.0.1');
  open.push(server);
  return { ...told, server, port };
}

interface Peer {
  socket: WebSocket;
  /** Everything that it got, as it was sent. */
  got: string[];
  closed: Promise<number>;
}

function dial(port: number, { path = streamPath, headers = signed as Record<string, string> } = {}): Peer {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  const got: string[] = [];
  socket.on('message', (data) => void got.push(String(data)));
  socket.on('error', () => {});
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  open.push({ close: () => socket.terminate() });
  return { socket, got, closed };
}

async function dialled(port: number, options?: Parameters<typeof dial>[1]): Promise<Peer> {
  const peer = dial(port, options);
  await once(peer.socket, 'open');
  return peer;
}

async function statusOf(port: number, options: Parameters<typeof dial>[1]): Promise<number | undefined> {
  const { socket } = dial(port, options);
  return new Promise((resolve) => {
    socket.once('unexpected-response', (request, response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    socket.once('open', () => resolve(undefined));
  });
}

const startMessage = (callSid = 'CA1') => ({
  event: 'start',
  sequenceNumber: '1',
  streamSid: 'MZ1',
  start: {
    streamSid: 'MZ1',
    callSid,
    customParameters: { token: 't' },
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
  },
});
const setupMessage = {
  type: 'setup',
  sessionId: 'VX1',
  callSid: 'CA1',
  from: '+15550100100',
  to: '+15555550123',
  customParameters: { token: 't' },
};
const media = (timestamp: number) => ({
  event: 'media',
  streamSid: 'MZ1',
  media: { track: 'inbound', timestamp: String(timestamp), payload: '////' },
});
const send = ({ socket }: Peer, ...messages: unknown[]) => {
  for (const message of messages) socket.send(JSON.stringify(message));
};

const until = (condition: () => boolean) => waitFor('what is to come', () => condition() || undefined);

interface Events {
  seen: unknown[];
  listener: Parameters<CarrierSocket['listen']>[0];
}

function events(): Events {
  const seen: unknown[] = [];
  return {
    seen,
    listener: {
      audio: (payload, timestampMs) => void seen.push(['audio', payload, timestampMs]),
      key: (digit) => void seen.push(['key', digit]),
      marked: (name) => void seen.push(['marked', name]),
      ended: (reason) => void seen.push(['ended', reason]),
    },
  };
}

async function begun(options?: Partial<StreamServerOptions>) {
  const served = await serve(options);
  const peer = await dialled(served.port);
  send(peer, { event: 'connected' }, startMessage());
  await until(() => served.admitted.length === 1);
  return { ...served, peer, stream: (served.admitted[0] as Told['admitted'][number]).stream };
}

describe('an upgrade', () => {
  it('of the carrier is taken', async () => {
    const { port, admitted } = await serve();
    const peer = await dialled(port);
    send(peer, { event: 'connected', protocol: 'Call', version: '1.0.0' }, startMessage());
    await until(() => admitted.length === 1);
    expect(admitted[0]?.start).toMatchObject({
      carrierCallId: 'CA1',
      streamId: 'MZ1',
      parameters: { token: 't' },
    });
    expect(peer.socket.extensions).toBe('');
  });

  it('of a session of text is taken on the same path, and begins with its setup', async () => {
    const { port, admitted, texts } = await serve();
    send(await dialled(port), setupMessage);
    await until(() => texts.length === 1);
    expect(texts[0]?.setup).toEqual({
      type: 'setup',
      streamId: 'VX1',
      carrierCallId: 'CA1',
      parameters: { token: 't' },
    });
    expect(admitted).toEqual([]);
    const { port: full, refused, texts: none } = await serve({ mayBegin: () => false });
    const peer = await dialled(full);
    send(peer, setupMessage);
    expect(await peer.closed).toBe(1008);
    expect({ refused, none }).toEqual({ refused: ['process_full'], none: [] });
  });

  it.each([
    ['with the port of its kind', `${publicUrl}:443${streamPath}`],
    ['without', `${publicUrl}${streamPath}`],
  ])('is signed over the public address %s', async (_, url) => {
    for (const configured of [publicUrl, `${publicUrl}:443`]) {
      const { port } = await serve({ publicUrl: configured });
      await dialled(port, { headers: { 'X-Twilio-Signature': sign(url) } });
    }
  });

  const altered = signed['X-Twilio-Signature'].replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
  it.each([
    [404, 'to another path', { path: '/api/v2/call-stream' }],
    [404, 'with a query, which the carrier would drop', { path: `${streamPath}?token=t` }],
    [403, 'of a page', { headers: { ...signed, Origin: 'https://elsewhere.example' } }],
    [403, 'of a page at our own address', { headers: { ...signed, Origin: 'https://media.example.com' } }],
    [401, 'without a signature', { headers: {} }],
    [401, 'with an empty signature', { headers: { 'X-Twilio-Signature': '' } }],
    [401, 'with an altered signature', { headers: { 'X-Twilio-Signature': altered } }],
    [
      401,
      'signed over http',
      { headers: { 'X-Twilio-Signature': sign(`https://media.example.com${streamPath}`) } },
    ],
    [401, 'signed over another path', { headers: { 'X-Twilio-Signature': sign(`${publicUrl}/`) } }],
  ])('is answered with %i: %s', async (status, _, options) => {
    const { port, refused, admitted } = await serve();
    expect(await statusOf(port, options)).toBe(status);
    expect({ refused: refused.length, admitted: admitted.length }).toEqual({ refused: 1, admitted: 0 });
  });

  it('is refused without a carrier', async () => {
    const { port } = await serve({ carrier: undefined });
    expect(await statusOf(port, {})).toBe(401);
  });

  it('is refused beyond the number of sockets, until one has ended', async () => {
    const { port, server } = await serve({ limits: { sockets: 2, beforeStart: 5, startWithinMs: 60_000 } });
    const [first] = [await dialled(port), await dialled(port)];
    send(first, startMessage());
    expect(await statusOf(port, {})).toBe(503);
    first.socket.close();
    await until(() => server.size === 1);
    await dialled(port);
  });

  it('is refused beyond the number of those that have not started', async () => {
    const { port, admitted } = await serve({
      limits: { sockets: 10, beforeStart: 1, startWithinMs: 60_000 },
    });
    const first = await dialled(port);
    expect(await statusOf(port, {})).toBe(503);
    send(first, startMessage());
    await until(() => admitted.length === 1);
    await dialled(port);
  });

  it('is refused while the process ends, and streams that have begun go on', async () => {
    const { port, server, stream, peer } = await begun();
    const waiting = await dialled(port);
    server.drain();
    expect(await waiting.closed).toBe(1001);
    expect(await statusOf(port, {})).toBe(503);
    stream.sendMark('m');
    await until(() => peer.got.length === 1);
  });
});

it('answers requests that are no upgrades, and closes their connections', async () => {
  const { port } = await serve();
  const response = await fetch(`http://127.0.0.1:${port}${streamPath}`);
  expect([response.status, response.headers.get('connection')]).toEqual([404, 'close']);
  const raw = connect(port, '127.0.0.1');
  raw.end('no http at all\r\n\r\n');
  await once(raw, 'close');
});

describe('before its start, a stream is closed', () => {
  const limits = { sockets: 10, beforeStart: 5, startWithinMs: 50 };

  it('when none comes in time', async () => {
    const { port, refused, server } = await serve({ limits });
    expect(await (await dialled(port)).closed).toBe(1008);
    expect(refused).toEqual(['no_start']);
    await until(() => server.size === 0);
  });

  it.each([
    ['other messages come', media(0), 'no_start'],
    ['what comes is no message', 'start', 'no_start'],
    [
      'its audio is of another kind',
      { ...startMessage(), start: { ...startMessage().start, mediaFormat: { encoding: 'audio/opus' } } },
      'unplayable',
    ],
  ])('when %s', async (_, message, reason) => {
    const { port, refused, admitted } = await serve();
    const peer = await dialled(port);
    send(peer, message, startMessage());
    expect(await peer.closed).toBe(1008);
    expect({ refused, admitted: admitted.length }).toEqual({ refused: [reason], admitted: 0 });
  });

  it('when there is no place for another call', async () => {
    const { port, refused } = await serve({ mayBegin: () => false });
    const peer = await dialled(port);
    send(peer, startMessage());
    expect(await peer.closed).toBe(1008);
    expect(refused).toEqual(['process_full']);
  });

  it('when its frames are too large', async () => {
    const { port, refused } = await serve();
    const peer = await dialled(port);
    peer.socket.send('x'.repeat(64 * 1_024 + 1));
    expect(await peer.closed).toBe(1009);
    // The two ends of a connection close one after the other.
    await until(() => refused.length > 0);
    expect(refused).toEqual(['closed_early']);
  });

  it('when who admits it fails', async () => {
    const failure = new Error('no database');
    const { port, failed } = await serve({
      admit() {
        throw failure;
      },
    });
    const peer = await dialled(port);
    send(peer, startMessage());
    expect(await peer.closed).toBe(1000);
    expect(failed).toEqual([failure]);
  });
});

describe('a stream', () => {
  it('passes on what the carrier says, also what came before anyone listened', async () => {
    const { stream, peer } = await begun();
    const { seen, listener } = events();
    send(peer, media(0), media(20), { event: 'dtmf', streamSid: 'MZ1', dtmf: { digit: '5' } });
    send(peer, { event: 'weather', streamSid: 'MZ1' });
    peer.socket.ping();
    await once(peer.socket, 'pong');
    stream.listen(listener);
    expect(seen).toEqual([
      ['audio', '////', 0],
      ['audio', '////', 20],
      ['key', '5'],
    ]);
    send(
      peer,
      { event: 'mark', streamSid: 'MZ1', mark: { name: 'm' } },
      { event: 'stop', streamSid: 'MZ1' },
      media(40),
    );
    peer.socket.close();
    await until(() => seen.length === 5);
    await peer.closed;
    expect(seen.slice(3)).toEqual([
      ['marked', 'm'],
      ['ended', 'stop'],
    ]);
  });

  it('sends the messages that the carrier takes, and no others', async () => {
    const { stream, peer } = await begun();
    stream.sendAudio('AAAA');
    stream.sendMark('m "1"');
    stream.clear();
    await until(() => peer.got.length === 3);
    expect(peer.got.map((text) => JSON.parse(text))).toEqual([
      { event: 'media', streamSid: 'MZ1', media: { payload: 'AAAA' } },
      { event: 'mark', streamSid: 'MZ1', mark: { name: 'm "1"' } },
      { event: 'clear', streamSid: 'MZ1' },
    ]);
    stream.close();
    stream.close();
    stream.sendAudio('AAAA');
    expect(await peer.closed).toBe(1000);
    expect(peer.got).toHaveLength(3);
  });

  it('ends once, and as closed when the carrier leaves without a word', async () => {
    const { stream, peer } = await begun();
    const { seen, listener } = events();
    peer.socket.terminate();
    await peer.closed;
    stream.listen(listener);
    await until(() => seen.length === 1);
    expect(seen).toEqual([['ended', 'closed']]);
  });

  it('passes by what is of another stream, and ends when nothing else comes', async () => {
    const { stream, peer } = await begun();
    const { seen, listener } = events();
    stream.listen(listener);
    for (let sent = 0; sent < 50; sent += 1) send(peer, { ...media(0), streamSid: 'MZ2' });
    send(peer, media(20));
    await until(() => seen.length === 1);
    send(peer, { event: 'stop' });
    await until(() => seen.length === 2);
    expect(seen).toEqual([
      ['audio', '////', 20],
      ['ended', 'error'],
    ]);
    await peer.closed;
  });

  it('ends when a listener fails, and the others go on', async () => {
    const { port, stream, peer, admitted, failed } = await begun();
    const failure = new Error('a mistake');
    const { listener } = events();
    stream.listen({
      ...listener,
      audio() {
        throw failure;
      },
    });
    const other = await dialled(port);
    send(other, startMessage('CA2'));
    await until(() => admitted.length === 2);
    send(peer, media(0));
    await peer.closed;
    expect(failed).toEqual([failure]);
    const { seen, listener: next } = events();
    admitted[1]?.stream.listen(next);
    send(other, media(60));
    await until(() => seen.length === 1);
  });

  it('ends when the carrier does not read', async () => {
    const { stream, peer } = await begun();
    const { seen, listener } = events();
    stream.listen(listener);
    peer.socket.pause();
    const payload = 'A'.repeat(60_000);
    for (let sent = 0; sent < 500 && seen.length === 0; sent += 1) {
      stream.sendAudio(payload);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(seen).toEqual([['ended', 'error']]);
    expect(stream.bufferedBytes).toBeLessThan(3 * 1_024 * 1_024);
  });
});
