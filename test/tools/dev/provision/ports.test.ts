import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  freePort,
  isPortTaken,
  refuseSamePorts,
  refuseTakenPort,
} from '../../../../tools/dev/provision/ports.js';

const server = createServer();
let port: number;

beforeEach(async () => {
  port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
});
afterEach(() => {
  server.close();
});

test('reports a listening port as taken', async () => {
  expect(await isPortTaken(port)).toBe(true);
});

test('reports a port without a listener as free', async () => {
  expect(await isPortTaken(await freePort())).toBe(false);
});

test('gives no port twice, and none that the system may give to another program meanwhile', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

test('rejects two ports that are the same with a message that names their variables', () => {
  const ports = [
    { user: 'the api', variable: 'PORT', port: 3000 },
    { user: 'the worker', variable: 'WORKER_HEALTH_PORT', port: 3001 },
    { user: 'the model simulator', variable: 'MODEL_SIMULATOR_PORT', port: 3000 },
  ];
  expect(() => refuseSamePorts(ports.slice(0, 2))).not.toThrow();
  expect(() => refuseSamePorts(ports)).toThrow(
    'PORT and MODEL_SIMULATOR_PORT are the same port, 3000. Choose another one for the model simulator.',
  );
});

test('rejects a taken port with a message that names it and its variable', async () => {
  const refusal = refuseTakenPort({ user: 'the api', variable: 'PORT', port });
  await expect(refusal).rejects.toThrow(
    `Port ${port}, which the api needs, is in use by another program. Stop that program, or choose another port with PORT.`,
  );
});
