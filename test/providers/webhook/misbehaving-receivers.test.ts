import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { pour, privateBody, privateToken, requestTo, senderTo, startRawReceiver } from './receivers.js';

const head = 'HTTP/1.1 200 OK\r\n';

/** The result of a request to a receiver that behaves like this. */
async function toldOf(onRequest: (socket: Socket) => void, timeoutMs = 30_000) {
  const receiver = await startRawReceiver((socket, _request, count) => {
    if (count === 1) onRequest(socket);
  });
  const told = await senderTo({ timeoutMs }).post(requestTo(receiver.url));
  expect(JSON.stringify(told)).not.toContain(privateToken);
  return { ...told, receiver };
}

/** Writes the same text again and again, slowly, until the connection ends. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => clearInterval(timer));
}

describe('post to a receiver without a valid answer', () => {
  it.each<[string, string, (socket: Socket) => void]>([
    ['an end at once', 'connection_reset', (socket) => socket.end()],
    ['a reset at once', 'connection_reset', (socket) => socket.resetAndDestroy()],
    ['an end within the status', 'connection_reset', (socket) => socket.end('HTTP/1.1 2')],
    ['an end within the headers', 'connection_reset', (socket) => socket.end(`${head}Content-Le`)],
    ['something else than HTTP', 'invalid_response', (socket) => socket.end('220 mail ready\r\n')],
    ['bytes', 'invalid_response', (socket) => socket.end(Buffer.alloc(5_000, 0xff))],
    ['a status that is none', 'invalid_response', (socket) => socket.end('HTTP/1.1 abc OK\r\n\r\n')],
    ['a version that is none', 'invalid_response', (socket) => socket.end('HTTP/9.9 200 OK\r\n\r\n')],
    [
      'two lengths',
      'invalid_response',
      (socket) => socket.end(`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
    ],
    [
      'another protocol',
      'invalid_response',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
    [
      'a header of a megabyte',
      'invalid_response',
      (socket) => socket.write(`${head}X-Long: ${'a'.repeat(1 << 20)}\r\n\r\n`),
    ],
    ['a header without an end', 'invalid_response', (socket) => pour(socket, 'a'.repeat(1_000))],
    [
      'headers without an end',
      'invalid_response',
      (socket) => {
        socket.write(head);
        pour(socket, 'X-More: more\r\n'.repeat(100));
      },
    ],
    [
      'provisional answers without an end',
      'invalid_response',
      (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nLink: more\r\n\r\n'.repeat(100)),
    ],
  ])('fails on %s with the code %s', async (_what, code, onRequest) => {
    const told = await toldOf(onRequest);
    expect(told).toMatchObject({ kind: 'failed', code });
    expect(told.durationMs).toBeLessThan(25_000);
    expect(told.receiver.connections).toHaveLength(1);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['nothing', () => undefined],
    ['headers that come letter by letter', (socket) => drip(socket.setNoDelay(), 'H')],
    [
      'provisional answers now and then',
      (socket) => drip(socket.setNoDelay(), 'HTTP/1.1 100 Continue\r\n\r\n'),
    ],
  ])('fails with timeout after %s until the deadline', async (what, onRequest) => {
    const told = await toldOf((socket) => {
      if (what.startsWith('headers')) socket.write(`${head}X-Slow: `);
      onRequest(socket);
    }, 300);
    expect(told).toMatchObject({ kind: 'failed', code: 'timeout' });
    expect(told.durationMs).toBeGreaterThanOrEqual(295);
    expect(told.durationMs).toBeLessThan(20_000);
  });
});

describe('post to a receiver with a status and an incomplete or endless body', () => {
  it.each<[string, string, (socket: Socket) => void]>([
    ['is cut off', 'half', (socket) => socket.end(`${head}Content-Length: 100\r\n\r\nhalf`)],
    [
      'breaks off',
      '',
      (socket) => {
        socket.write(`${head}Content-Length: 100\r\n\r\n`, () => socket.resetAndDestroy());
      },
    ],
    [
      'has chunks that are none',
      '',
      (socket) => socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nwhatever\r\n`),
    ],
    ['ends with the connection', 'all', (socket) => socket.end(`${head}\r\nall`)],
  ])('returns the answer if the body %s', async (_what, body, onRequest) => {
    expect(await toldOf(onRequest)).toMatchObject({ kind: 'answered', statusCode: 200, body });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['is without an end', (socket) => pour(socket, 'a'.repeat(10_000))],
    ['is without an end, in small chunks', (socket) => pour(socket, '1\r\na\r\n'.repeat(1_000))],
    [
      'is without an end, in chunks with notes',
      (socket) => pour(socket, `1;note=${'n'.repeat(1_000)}\r\na\r\n`),
    ],
  ])('returns the answer with a bounded part of the body if it %s', async (what, onRequest) => {
    const chunked = what.includes('chunks') ? 'Transfer-Encoding: chunked\r\n' : '';
    const told = await toldOf((socket) => {
      socket.write(`${head}${chunked}\r\n`);
      onRequest(socket);
    });
    expect(told).toMatchObject({ kind: 'answered', statusCode: 200, body: expect.stringMatching(/^a{60}/) });
    expect(told.durationMs).toBeLessThan(25_000);
    await ended(told.receiver.connections[0]);
  });

  it('returns the answer at the deadline and closes the connection if the body arrives slowly', async () => {
    const told = await toldOf((socket) => {
      socket.setNoDelay().write(`${head}\r\n`);
      drip(socket, 'a');
    }, 1_500);
    expect(told).toMatchObject({ kind: 'answered', statusCode: 200, body: expect.stringMatching(/^a+$/) });
    expect(told.durationMs).toBeLessThan(20_000);
    await ended(told.receiver.connections[0]);
  });
});

describe('post to a receiver that does not read the request', () => {
  const long = JSON.stringify({ text: 'a'.repeat(20 << 20) });

  it('waits until the deadline', async () => {
    const receiver = await startRawReceiver((socket) => socket.pause());
    const told = await senderTo({ timeoutMs: 300 }).post(requestTo(receiver.url, { body: long }));
    expect(told).toMatchObject({ kind: 'failed', code: 'timeout' });
  });

  it('returns an early answer without sending the rest of the request', async () => {
    const receiver = await startRawReceiver((socket, _request, count) => {
      if (count > 1) return;
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno');
    });
    const told = await senderTo().post(requestTo(receiver.url, { body: long }));
    expect(told).toMatchObject({ kind: 'answered', statusCode: 413, body: 'no' });
    receiver.connections[0]?.resume();
    await ended(receiver.connections[0]);
    expect(receiver.connections[0]?.bytesRead).toBeLessThan(long.length / 2);
  });
});

it('post does not take data after an answer for the next answer', async () => {
  const answer = (text: string) => `${head}Content-Length: ${text.length}\r\n\r\n${text}`;
  const receiver = await startRawReceiver((socket, request) => {
    expect(request).toContain(privateBody);
    socket.write(answer('first') + answer('forged'));
  });
  const sender = senderTo();
  const bodies = [await sender.post(requestTo(receiver.url)), await sender.post(requestTo(receiver.url))];
  expect(bodies).toMatchObject([{ body: 'first' }, { body: 'first' }]);
});

async function ended(socket: Socket | undefined): Promise<void> {
  if (socket === undefined || socket.closed) return;
  await new Promise((resolve) => socket.on('close', resolve));
}
