import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../support/lib/wait-for.js';
import { failureOf, requestTo, senderTo, startRawReceiver } from './receivers.js';

const ok = (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');

describe('a keep-alive connection', () => {
  it('is reused for the next delivery', async () => {
    const receiver = await startRawReceiver(ok);
    const sender = senderTo();
    for (let number = 0; number < 5; number += 1) await sender.post(requestTo(receiver.url));
    expect(receiver.connections).toHaveLength(1);
  });

  it('is not reused when the receiver closes it', async () => {
    const receiver = await startRawReceiver((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    const sender = senderTo();
    for (let number = 0; number < 3; number += 1) {
      expect(await sender.post(requestTo(receiver.url))).toMatchObject({ statusCode: 200 });
    }
    expect(receiver.connections).toHaveLength(3);
  });

  it('is kept at most four times per host', async () => {
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

it('keep-alive connections of many hosts are limited in number', async () => {
  const receiver = await startRawReceiver(ok);
  const sender = senderTo({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
  const hosts = Array.from({ length: 300 }, (_, number) => `http://host-${number}.example:${receiver.port}`);
  await Promise.all(hosts.map((host) => sender.post(requestTo(host))));
  const open = () => receiver.connections.filter((socket) => !socket.closed).length;
  // Checks before the connections end because of their idle timeout.
  await waitFor('the others ended', () => open() <= 256, 3_500);
});

describe('a keep-alive connection that the receiver closes when it is reused', () => {
  /** Answers the first request on each of the first connections, and closes them at their second request. */
  const fickle = (end: (socket: Socket) => void, connections: number) =>
    startRawReceiver((socket, _request, count) => {
      connections -= count === 1 ? 1 : 0;
      if (count === 1 && connections >= 0) ok(socket);
      else end(socket);
    });

  it.each<[string, (socket: Socket) => void]>([
    ['quietly', (socket) => socket.end()],
    ['by a reset', (socket) => socket.resetAndDestroy()],
  ])('is replaced by a new one when it is closed %s', async (_how, end) => {
    const receiver = await fickle(end, 2);
    const sender = senderTo();
    expect(await sender.post(requestTo(receiver.url))).toMatchObject({ statusCode: 200 });
    expect(await sender.post(requestTo(receiver.url))).toMatchObject({ statusCode: 200 });
    expect(receiver.connections).toHaveLength(2);
  });

  it('is replaced only once', async () => {
    const receiver = await fickle((socket) => socket.resetAndDestroy(), 1);
    const sender = senderTo();
    expect(await sender.post(requestTo(receiver.url))).toMatchObject({ statusCode: 200 });
    expect(await failureOf(sender, receiver.url)).toBe('connection_reset');
    expect(receiver.connections).toHaveLength(2);
  });

  it.each<[string, string, (socket: Socket) => void]>([
    ['a part of an answer', 'connection_reset', (socket) => socket.end('HTTP/1.1 5')],
    ['an invalid answer', 'invalid_response', (socket) => socket.end('welcome\r\n\r\n')],
    ['the deadline', 'timeout', () => undefined],
  ])('is not replaced after %s', async (what, code, end) => {
    const receiver = await fickle(end, 2);
    const sender = senderTo(what === 'the deadline' ? { timeoutMs: 2_000 } : {});
    await sender.post(requestTo(receiver.url));
    expect(await failureOf(sender, receiver.url)).toBe(code);
    expect(receiver.connections).toHaveLength(1);
  });
});

it('a hundred endless answers at once use a bounded amount of memory', async () => {
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
  // The sender reads 80 KiB of each answer and discards them. The receivers use some memory in the same process.
  expect(most).toBeLessThan(64 << 20);
});
