import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type RunningMailSimulator,
  startMailSimulator,
} from '../../../../tools/simulators/mail/start-mail-simulator.js';
import { findFault } from '../../../../tools/simulators/mail/strictness.js';
import { waitFor } from '../../../support/lib/wait-for.js';
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

test('hangs at any command until that is forgotten, and then closes the connection', async () => {
  for (const at of ['CONNECT', 'MAIL', 'RCPT', 'DATA']) {
    const to = `${at}@example.com`;
    await ask(simulator.url, 'POST', '/mishaps', { to: '*', at, chance: true, hang: true, name: 'slow' });
    await ask(simulator.url, 'POST', '/mishaps', { to: 'other@example.com', reply: 450, name: 'other' });
    const sent = send(to, 'waits');
    sent.catch(() => undefined);
    const isTaken = async () =>
      ((await ask(simulator.url, 'GET', `/messages?to=${to}`)).body as unknown[]).length === 1;
    await waitFor('it hangs', async () => {
      const { body } = await ask<{ hanging: number }>(simulator.url, 'GET', '/under-way');
      return body.hanging === 1;
    });
    await ask(simulator.url, 'DELETE', '/mishaps?name=slow');

    await expect(sent).rejects.toThrow();
    expect(await isTaken()).toBe(at === 'DATA');
    await expect(send('other@example.com', 'is planned still')).rejects.toMatchObject({ responseCode: 450 });
  }
  await expect(send('one@example.com', 'goes on')).resolves.toBeDefined();
  expect((await ask(simulator.url, 'GET', '/messages?to=data@example.com')).body).toMatchObject([
    { answered: false, reports: [] },
  ]);
});

test('refuses by chance, the same ones with the same seed, until that is forgotten', async () => {
  onTestFinished(async () => void (await ask(simulator.url, 'DELETE', '/mishaps')));
  await ask(simulator.url, 'POST', '/mishaps', { to: '*', at: 'RCPT', chance: 0.5, reply: 451 });
  const outcomes = async () => {
    await ask(simulator.url, 'PUT', '/seed', { seed: 7 });
    const all: boolean[] = [];
    for (let count = 0; count < 8; count += 1) {
      all.push(
        await send('luck@example.com', 'x').then(
          () => true,
          () => false,
        ),
      );
    }
    return all;
  };
  const first = await outcomes();
  expect(new Set(first)).toEqual(new Set([true, false]));
  expect(await outcomes()).toEqual(first);

  await ask(simulator.url, 'DELETE', '/mishaps');
  await ask(simulator.url, 'POST', '/mishaps', { to: '*', at: 'CONNECT', chance: 2, reply: 421 });
  for (let count = 0; count < 2; count += 1) await expect(send('luck@example.com', 'x')).rejects.toThrow();
  await expect(send('luck@example.com', 'x')).resolves.toBeDefined();
});

test('reports a message late, as raw MIME, as often as told', async () => {
  const posted: { secret: unknown; text: string }[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    posted.push({ secret: request.headers['x-inbox-secret'], text: Buffer.concat(chunks).toString() });
    response.writeHead(204).end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => void receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const to = 'gone@example.com';
  await ask(simulator.url, 'POST', '/mishaps', {
    to,
    bounce: { url, secret: 'known', times: 2, status: '5.2.1' },
  });
  await send(to, 'reported');

  await waitFor('it is reported', async () => posted.length === 2);
  for (const { secret, text } of posted) {
    expect(secret).toBe('known');
    const report = await simpleParser(text, { keepDeliveryStatus: true });
    expect(report.headers.get('content-type')).toMatchObject({
      params: { 'report-type': 'delivery-status' },
    });
    expect(text).toContain('Final-Recipient: rfc822; gone@example.com');
    expect(text).toContain('Status: 5.2.1');
    expect(text).toContain('Subject: reported');
    expect(text).toContain('To: a@example.com');
  }
});

test('lets only its account send once it was told one', async () => {
  await ask(simulator.url, 'PUT', '/account', { user: 'desk', password: 'right' });
  onTestFinished(async () => void (await ask(simulator.url, 'PUT', '/account', {})));
  const as = (auth?: { user: string; pass: string }) =>
    createTransport({ url: simulator.smtpUrl, ...(auth === undefined ? {} : { auth }) } as never).sendMail({
      from: 'a@example.com',
      to: 'account@example.com',
      subject: 'x',
      text: 'x',
    });
  await expect(as()).rejects.toMatchObject({ responseCode: 530 });
  await expect(as({ user: 'desk', pass: 'wrong' })).rejects.toMatchObject({ responseCode: 535 });
  await expect(as({ user: 'desk', pass: 'right' })).resolves.toBeDefined();
});

test.each([
  ['a bare line end', 'From: a@b.c\nTo: b@b.c\r\n\r\nx'],
  ['a line that is too long', `From: a@b.c\r\nDate: now\r\nMessage-ID: <1@b.c>\r\n\r\n${'x'.repeat(999)}`],
  ['a second From', 'From: a@b.c\r\nFrom: d@b.c\r\nDate: now\r\nMessage-ID: <1@b.c>\r\n\r\nx'],
  ['no Message-ID', 'From: a@b.c\r\nDate: now\r\n\r\nx'],
  ['a Bcc', 'From: a@b.c\r\nBcc: x@b.c\r\nDate: now\r\nMessage-ID: <1@b.c>\r\n\r\nx'],
])('refuses %s', (_, raw) => {
  expect(findFault(Buffer.from(raw))).toBeDefined();
});

test.each([
  [{}],
  [{ to: 'a@example.com', bounce: { times: 0 } }],
  [{ to: 'a@example.com', chance: 'often' }],
  [{ to: 'a@example.com', at: 'QUIT' }],
  [{ to: 'a@example.com', reply: 250 }],
  [{ to: 'a@example.com', hangUp: 1 }],
  [{ to: 'a@example.com', drop: true }],
])('refuses the mishap %j', async (fault) => {
  expect((await ask(simulator.url, 'POST', '/mishaps', fault)).status).toBe(400);
});
