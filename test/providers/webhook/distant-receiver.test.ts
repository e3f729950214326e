import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { requestTo, senderTo } from './receivers.js';

/** Accepts no connection until it is released. The kernel queues two connections for it and ignores further ones. */
const busyReceiver = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer((request, response) => response.end());
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
  });`;

async function startBusyReceiver() {
  const held = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(busyReceiver, { eval: true, workerData: held });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const others = await Promise.all([connected(port), connected(port)]);
  onTestFinished(async () => {
    for (const socket of others) socket.destroy();
    await worker.terminate();
  });
  const letIn = () => {
    Atomics.store(held, 0, 1);
    Atomics.notify(held, 0);
  };
  return { port, letIn };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject);
  });
}

it('post does not give up a receiver half a second away for its other address, which is unreachable', async () => {
  const { port, letIn } = await startBusyReceiver();
  const sender = senderTo({
    allowedNetworks: ['127.0.0.0/8', '::1/128'],
    resolve: async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ],
  });

  const answer = sender.post(requestTo(`http://receiver.example:${port}`));
  // This is the distance of the receiver and not a wait for an event.
  await delay(500);
  letIn();

  expect(await answer).toMatchObject({ kind: 'answered', statusCode: 200 });
});
