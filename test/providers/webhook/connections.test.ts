import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../support/wait-for.js';
import { requestTo, senderTo, startRawReceiver } from './receivers.js';

const ok = (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');

describe('a connection', () => {
  it('is kept for the next delivery', async () => {
    const receiver = await startRawReceiver(ok);
    const sender = senderTo();
    for (let number = 0; number < 5; number += 1) await sender.post(requestTo(receiver.url));
    expect(receiver.connections).toHaveLength(1);
  });

  it('is not kept where the receiver keeps none', async () => {
    const receiver = await startRawReceiver((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    const sender = senderTo();
    for (let number = 0; number < 3; number += 1) {
      expect(await sender.post(requestTo(receiver.url))).toMatchObject({ statusCode: 200 });
    }
    expect(receiver.connections).toHaveLength(3);
  });

  it('is kept of one host four times at most', async () => {
    const receiver = await startRawReceiver(ok);
    const sender = senderTo();
    await Promise.all(Array.from({ length: 20 }, () => sender.post(requestTo(receiver.url))));
    const open = () => receiver.connections.filter((socket) => !socket.closed).length;
    await waitFor('the others ended', () => open() <= 4);
    expect(open()).toBeGreaterThan(0);
    sender.close();
    await waitFor('all ended', () => open() === 0);
  });
});

it('connections of many hosts are kept in bounds', async () => {
  const receiver = await startRawReceiver(ok);
  const sender = senderTo({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
  const hosts = Array.from({ length: 300 }, (_, number) => `http://host-${number}.example:${receiver.port}`);
  await Promise.all(hosts.map((host) => sender.post(requestTo(host))));
  const open = () => receiver.connections.filter((socket) => !socket.closed).length;
  // Before they have been idle for so long that they end for that.
  await waitFor('the others ended', () => open() <= 256, 2_000);
});

describe('a connection that the receiver ends as it is taken up again', () => {
  /** Answers the first request of each of the first connections, and ends those at their second. */
  const fickle = (end: (socket: Socket) => void, connections: number) =>
    startRawReceiver((socket, _request, count) => {
      connections -= count === 1 ? 1 : 0;
      if (count === 1 && connections >= 0) ok(socket);
      else end(socket);
    });

  it.each<[string, (socket: Socket) => void]>([
    ['quietly', (socket) => socket.end()],
    ['by a reset', (socket) => socket.resetAndDestroy()],
  ])('%s is replaced by a new one', async (_how, end) => {
    const receiver = await fickle(end, 2);
    const sender = senderTo();
    expect(await sender.post(requestTo(receiver.url))).toMatchObject({ statusCode: 200 });
    expect(await sender.post(requestTo(receiver.url))).toMatchObject({ statusCode: 200 });
    expect(receiver.connections).toHaveLength(2);
  });

  it('is replaced once', async () => {
    const receiver = await fickle((socket) => socket.resetAndDestroy(), 1);
    const sender = senderTo();
    expect(await sender.post(requestTo(receiver.url))).toMatchObject({ statusCode: 200 });
    expect(await sender.post(requestTo(receiver.url))).toMatchObject({ code: 'connection_reset' });
    expect(receiver.connections).toHaveLength(2);
  });

  it('is not replaced once something of an answer came', async () => {
    const receiver = await fickle((socket) => socket.end('HTTP/1.1 5'), 2);
    const sender = senderTo();
    await sender.post(requestTo(receiver.url));
    expect(await sender.post(requestTo(receiver.url))).toMatchObject({ code: 'connection_reset' });
    expect(receiver.connections).toHaveLength(1);
  });

  it('is not replaced where what came is no answer', async () => {
    const receiver = await fickle((socket) => socket.end('welcome\r\n\r\n'), 2);
    const sender = senderTo();
    await sender.post(requestTo(receiver.url));
    expect(await sender.post(requestTo(receiver.url))).toMatchObject({ code: 'invalid_response' });
    expect(receiver.connections).toHaveLength(1);
  });

  it('is not replaced after the deadline', async () => {
    const receiver = await fickle(() => undefined, 2);
    const sender = senderTo({ timeoutMs: 300 });
    await sender.post(requestTo(receiver.url));
    expect(await sender.post(requestTo(receiver.url))).toMatchObject({ code: 'timeout' });
    expect(receiver.connections).toHaveLength(1);
  });
});

it('a hundred answers without an end at once cost a bounded amount of memory', async () => {
  const chunk = 'a'.repeat(64 * 1024);
  const receiver = await startRawReceiver((socket, _request, count) => {
    if (count > 1) return;
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const timer = setInterval(() => socket.writableLength < chunk.length && socket.write(chunk), 1);
    socket.on('close', () => clearInterval(timer));
  });
  const sender = senderTo();
  const before = process.memoryUsage();
  let most = 0;
  const watch = setInterval(() => {
    const { rss } = process.memoryUsage();
    most = Math.max(most, rss - before.rss);
  }, 5);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => sender.post(requestTo(receiver.url))),
  ).finally(() => clearInterval(watch));
  expect(answers.every((answer) => answer.kind === 'answered' && answer.body.length === 2_048)).toBe(true);
  // Read are 80 KiB of each, and let go; the receivers hold some in the same process.
  expect(most).toBeLessThan(64 << 20);
});
