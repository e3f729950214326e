import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Interruption } from '../../../media/relay/ports.js';
import { RelaySocket } from '../../../media/streams/relay-socket.js';
import { waitFor } from '../../support/lib/wait-for.js';

const until = (condition: () => boolean) => waitFor('what is to come', () => condition() || undefined);

/** Both ends of a session of text. */
async function session() {
  const failed: unknown[] = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const carrier = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [socket] = (await connected) as [WebSocket];
  if (carrier.readyState !== WebSocket.OPEN) await once(carrier, 'open');
  onTestFinished(() => {
    carrier.terminate();
    server.close();
  });
  const got: string[] = [];
  carrier.on('message', (data) => void got.push(String(data)));
  const closed = new Promise<number>((resolve) => carrier.once('close', resolve));
  const onFailure = (error: unknown) => void failed.push(error);
  const line = new RelaySocket(socket, { streamId: 'VX1', carrierCallId: 'CA1' }, { onFailure });
  const send = (...messages: object[]) => {
    for (const message of messages) carrier.send(JSON.stringify(message));
  };
  return { line, carrier, socket, got, closed, failed, send };
}

/** Notes what is told. */
function listener(seen: unknown[] = []) {
  return {
    seen,
    events: {
      said: (text: string) => void seen.push(text),
      interrupted: ({ heard, afterMs }: Interruption) => void seen.push([heard, afterMs]),
      key: (digit: string) => void seen.push(`key ${digit}`),
      speaking: (who: string, isOn: boolean) => void seen.push(`${who} ${isOn}`),
      refused: () => void seen.push('refused'),
      ended: (reason: string) => void seen.push(`ended ${reason}`),
    },
  };
}

test('a session tells what the caller does, also what came before anyone listened', async () => {
  const { line, carrier, send } = await session();
  send(
    { type: 'prompt', voicePrompt: 'Hello', last: false },
    { type: 'prompt', voicePrompt: 'there', last: true },
  );
  await new Promise((resolve) => {
    carrier.once('pong', resolve);
    carrier.ping();
  });
  const { seen, events } = listener();
  line.listen(events);
  expect(seen).toEqual(['Hello there']);
  send(
    { type: 'info', name: 'agentSpeaking', value: 'on' },
    { type: 'interrupt', utteranceUntilInterrupt: 'One', durationUntilInterruptMs: '460' },
    { type: 'dtmf', digit: '1' },
    { type: 'error', description: 'Invalid message received' },
    { type: 'something', new: true },
  );
  carrier.close();
  await until(() => seen.includes('ended closed'));
  expect(seen.slice(1)).toEqual(['agent true', ['One', 460], 'key 1', 'refused', 'ended closed']);
});

test('a session sends pieces, and ends with a message, which the carrier answers by closing', async () => {
  const { line, carrier, got, closed } = await session();
  line.say('Hello ', false);
  line.say('', true);
  line.close();
  line.close();
  line.say('Late', true);
  await until(() => got.length === 3);
  expect(got.map((text) => JSON.parse(text))).toEqual([
    { type: 'text', token: 'Hello ', last: false },
    { type: 'text', token: '', last: true },
    { type: 'end' },
  ]);
  carrier.close(1000);
  expect(await closed).toBe(1000);
});

test('a session whose peer speaks another protocol ends', async () => {
  const { line, carrier, closed } = await session();
  const { seen, events } = listener();
  line.listen(events);
  for (let place = 0; place < 51; place += 1) carrier.send('{"event":"media"}');
  expect(await closed).toBe(1006);
  expect(seen).toEqual(['ended error']);
});

test('a session whose listener throws is ended, and told', async () => {
  const { line, send, closed, failed } = await session();
  line.listen({
    ...listener().events,
    said: () => {
      throw new Error('a fault of ours');
    },
  });
  send({ type: 'prompt', voicePrompt: 'Hello', last: true });
  expect(await closed).toBe(1006);
  expect(failed).toHaveLength(1);
});
