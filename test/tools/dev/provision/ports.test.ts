import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort, isPortTaken, refuseTakenPort } from '../../../../tools/dev/provision/ports.js';

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

test('rejects a taken port with a message that names it and its variable', async () => {
  const refusal = refuseTakenPort({ user: 'the api', variable: 'PORT', port });
  await expect(refusal).rejects.toThrow(
    `Port ${port}, which the api needs, is in use by another program. Stop that program, or choose another port with PORT.`,
  );
});
