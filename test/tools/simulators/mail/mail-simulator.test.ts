import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type RunningMailSimulator,
  startMailSimulator,
} from '../../../../tools/simulators/mail/start-mail-simulator.js';
import { ask } from '../simulator-client.js';

let simulator: RunningMailSimulator;

beforeAll(async () => {
  simulator = await startMailSimulator({ port: 0, smtpPort: 0 });
});
afterAll(() => simulator.close());

const send = (to: string, subject: string) =>
  createTransport({ url: simulator.smtpUrl }).sendMail({ from: 'a@example.com', to, subject, text: 'Text' });

test('lists received mails for one address or all, optionally after a number', async () => {
  await send('One@example.com', 'first');
  await send('two@example.com', 'second');
  const subjects = async (query: string) =>
    ((await ask(simulator.url, 'GET', `/messages${query}`)).body as { subject: string }[]).map(
      ({ subject }) => subject,
    );

  expect(await subjects('')).toEqual(['first', 'second']);
  expect(await subjects('?to=one@example.com')).toEqual(['first']);
  expect(await subjects('?after=1')).toEqual(['second']);
  expect((await ask(simulator.url, 'DELETE', '/messages')).status).toBe(204);
  expect(await subjects('')).toEqual([]);
});

test('simulates a planned failure once', async () => {
  const to = 'unlucky@example.com';
  await ask(simulator.url, 'POST', '/mishaps', { to, reply: 450 });
  await expect(send(to, 'refused')).rejects.toMatchObject({ responseCode: 450 });
  await expect(send(to, 'taken')).resolves.toBeDefined();
});

test.each([
  [{}],
  [{ to: 'a@example.com', reply: 250 }],
  [{ to: 'a@example.com', hangUp: 1 }],
  [{ to: 'a@example.com', drop: true }],
])('refuses the mishap %j', async (mishap) => {
  expect((await ask(simulator.url, 'POST', '/mishaps', mishap)).status).toBe(400);
});
