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

test('a port that somebody listens on is taken', async () => {
  expect(await isPortTaken(port)).toBe(true);
});

test('a port that nobody listens on is free', async () => {
  expect(await isPortTaken(await freePort())).toBe(false);
});

test('a taken port is refused in a sentence that names it and the variable that moves it', async () => {
  const refusal = refuseTakenPort({ user: 'the api', variable: 'PORT', port });

  await expect(refusal).rejects.toThrow(
    `Port ${port}, which the api needs, is in use by another program: end that program, or choose another port with PORT.`,
  );
});
