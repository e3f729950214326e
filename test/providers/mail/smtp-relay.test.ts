import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ProviderBusy } from '../../../providers/failures.js';
import type { MailServer, OutgoingEmail } from '../../../providers/mail/email-relay.js';
import { MailBusy, MailOutcomeUnknown, MailRefused, MailUnusable } from '../../../providers/mail/mail.js';
import { SmtpRelay } from '../../../providers/mail/smtp-relay.js';
import { AddressPolicy } from '../../../providers/webhook/address-policy.js';
import { type SimulatedMail, startMail } from '../../support/simulators/simulated-mail.js';
import { testMailHosts } from '../../support/workspace/inboxes.js';
import { startSocketServer } from '../misbehaving-server.js';

let server: SimulatedMail;
let relay: SmtpRelay;
let impatient: SmtpRelay;
beforeAll(async () => {
  server = await startMail();
  const options = { url: server.smtpUrl, hosts: testMailHosts };
  relay = new SmtpRelay({ ...options, timeoutMs: 5_000 });
  impatient = new SmtpRelay({ ...options, timeoutMs: 1_500, answerMs: 1_500, deadlineMs: 6_000 });
});
afterAll(() => server.close());
afterEach(() => server.setAccount());

const slowServers: SMTPServer[] = [];
afterAll(() => Promise.all(slowServers.map((slow) => new Promise<void>((done) => slow.close(done)))));

/** A server that answers to the whole email after a while. Returns its URL. */
async function startSlowServer(afterMs: number): Promise<string> {
  const slow = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, answer) {
      stream.resume();
      stream.once('end', () => setTimeout(() => answer(null), afterMs));
    },
  });
  slowServers.push(slow);
  slow.listen(0, '127.0.0.1');
  await once(slow.server, 'listening');
  return `smtp://127.0.0.1:${(slow.server.address() as AddressInfo).port}`;
}

let emails = 0;
function emailTo(to: string, values: Partial<OutgoingEmail> = {}): OutgoingEmail {
  emails += 1;
  return {
    envelope: { from: 'desk+b.token@clinic.example', to },
    from: { name: 'The Clinic', address: 'desk@clinic.example' },
    replyTo: 'desk+r.token@clinic.example',
    messageId: `id-${emails}@clinic.example`,
    inReplyTo: null,
    references: [`id-${emails}@clinic.example`],
    date: new Date('2031-05-01T12:00:00Z'),
    subject: 'Grüße',
    text: 'Hello *you*\n',
    html: '<p>Hello <em>you</em></p>\n',
    headers: {},
    attachments: [],
    ...values,
  };
}

const failureOf = (email: OutgoingEmail, own?: MailServer, sender = relay) =>
  sender.send(email, own).then(
    () => 'sent',
    (error: unknown) => error,
  );
const ownServer = (login?: MailServer['login']): MailServer => ({
  host: '127.0.0.1',
  port: Number(new URL(server.smtpUrl).port),
  security: 'none',
  ...(login === undefined ? {} : { login }),
});
const file = (bytes: Buffer | (() => AsyncIterable<Buffer>), filename = 'leaflet.pdf') => ({
  filename,
  mimeType: 'application/pdf',
  open: async () => Readable.from(typeof bytes === 'function' ? bytes() : [bytes]),
});

describe('an email', () => {
  it('arrives with our ids, addresses and headers, as text and as HTML', async () => {
    const url = `https://api.example/api/v2/w/5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f01/unsubscribe/${'a'.repeat(26)}`;
    const email = emailTo('ana@patients.example', {
      inReplyTo: 'question@patients.example',
      references: ['first@clinic.example', 'question@patients.example', 'own@clinic.example'],
      headers: {
        'Auto-Submitted': 'auto-generated',
        'List-Unsubscribe': `<${url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });

    expect(await relay.send(email)).toEqual({});

    const [caught] = await server.sentTo('ana@patients.example');
    expect(caught).toMatchObject({
      from: 'desk+b.token@clinic.example',
      to: ['ana@patients.example'],
      subject: 'Grüße',
      text: 'Hello *you*\n',
      html: '<p>Hello <em>you</em></p>\n',
      headers: {
        from: 'The Clinic <desk@clinic.example>',
        to: 'ana@patients.example',
        'reply-to': 'desk+r.token@clinic.example',
        'message-id': `<${email.messageId}>`,
        'in-reply-to': '<question@patients.example>',
        references: '<first@clinic.example> <question@patients.example> <own@clinic.example>',
        'auto-submitted': 'auto-generated',
        'list-unsubscribe': `<${url}>`,
        'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
        date: expect.stringContaining('01 May 2031 12:00:00'),
      },
    });
    expect(Object.keys(caught?.headers ?? {}).filter((name) => name.startsWith('list-'))).toHaveLength(2);
  });

  it('carries files as they are stored, whatever they are called', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const to = 'files@patients.example';
    await relay.send(
      emailTo(to, {
        attachments: [file(bytes, 'Merkblatt für Sie.pdf'), file(bytes, 'a\r\nBcc: x@y.example')],
      }),
    );

    const [caught] = await server.sentTo(to);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(caught?.attachments).toMatchObject([
      { filename: 'Merkblatt für Sie.pdf', contentType: 'application/pdf', bytes: 300_000, sha256 },
      { sha256 },
    ]);
    expect(caught?.to).toEqual([to]);
  });

  it.each([
    ['the recipient', { envelope: { from: 'a@clinic.example', to: 'a@b.example\r\nBcc: spy@x.example' } }],
    [
      'the sender of the envelope',
      { envelope: { from: 'a@b.example\r\nRCPT TO:<spy@x.example>', to: 'b@b.example' } },
    ],
    ['the sender', { from: { name: 'A\r\nBcc: spy@x.example', address: 'desk@clinic.example' } }],
    ['the subject', { subject: 'A\r\nBcc: spy@x.example' }],
    ['the address for replies', { replyTo: 'a@b.example\r\nBcc: spy@x.example' }],
    ['a header', { headers: { 'Auto-Submitted': 'no\r\nBcc: spy@x.example' } }],
  ])('gets no further recipient by a line end in %s', async (_, values) => {
    await failureOf(emailTo('injected@patients.example', values));

    expect(await server.sentTo('spy@x.example')).toEqual([]);
    for (const { headers } of await server.sentTo('injected@patients.example'))
      expect(headers).not.toHaveProperty('bcc');
  });

  it('learns the id that the server puts in place of ours', async () => {
    const to = 'replaced@patients.example';
    await server.plan({ to, replaceId: true });

    const { relayMessageId } = await relay.send(emailTo(to));

    const [caught] = await server.sentTo(to);
    expect(relayMessageId).toMatch(/@simulated\.prod\.outlook\.com$/);
    expect(caught?.headers['message-id']).toBe(`<${relayMessageId}>`);
  });
});

describe('a refusal', () => {
  it.each([
    ['RCPT', 550, '5.1.1 No such user', MailRefused, '5.1.1'],
    ['RCPT', 450, '4.2.0 Greylisted', MailRefused, '4.2.0'],
    ['RCPT', 550, 'Nobody here', MailRefused, '550'],
    ['DATA', 554, '5.7.1 Unwanted', MailRefused, '5.7.1'],
    ['DATA', 452, '4.3.1 Later', MailRefused, '4.3.1'],
    ['DATA', 421, '4.3.2 Shutting down', MailBusy, '4.3.2'],
    ['MAIL', 550, '5.7.1 Not your address', MailUnusable, '5.7.1'],
    ['MAIL', 451, '4.3.0 Later', MailBusy, '4.3.0'],
    ['DATA', 554, 'Message rejected: Email address is not verified.', MailUnusable, '554'],
    ['DATA', 550, '5.7.60 May not send as this sender', MailUnusable, '5.7.60'],
    ['RCPT', 530, '5.7.0 Authentication required', MailUnusable, '5.7.0'],
    ['RCPT', 535, 'Bad credentials', MailUnusable, '535'],
    ['RCPT', 554, '5.7.1 <a@b.example>: Relay access denied', MailUnusable, '5.7.1'],
    ['RCPT', 554, '5.7.1 <mx.example>: Client host rejected: Access denied', MailUnusable, '5.7.1'],
    ['DATA', 550, '5.4.5 Daily sending quota exceeded', MailUnusable, '5.4.5'],
    ['DATA', 554, 'Sending suspended for this account', MailUnusable, '554'],
    ['RCPT', 552, '5.2.2 Daily quota of the mailbox exceeded', MailRefused, '5.2.2'],
    ['RCPT', 550, '5.1.1 Not verified: the next server said Relay access denied', MailRefused, '5.1.1'],
    ['RCPT', 554, '5.7.1 <relay-denied@b.example>: Rejected', MailRefused, '5.7.1'],
    ['DATA', 552, '5.3.4 Message exceeds the size limit', MailRefused, '5.3.4'],
  ] as const)('at %s with %i %s is one of the four classes', async (at, reply, text, kind, code) => {
    const to = `refused-${at}-${reply}-${code}@patients.example`.toLowerCase();
    await server.plan({ to: at === 'MAIL' ? '*' : to, at, reply, text });

    const failure = await failureOf(emailTo(to));

    expect(failure).toBeInstanceOf(kind);
    expect(failure).toMatchObject({ code });
    expect(String(failure)).not.toContain(to);
    expect(await server.sentTo(to)).toEqual([]);
  });

  it.each([
    ['a wrong password', { user: 'desk', password: 'wrong' }, '5.7.8'],
    ['no user', undefined, '5.7.0'],
  ])('of the account by %s makes everything wait', async (_, login, code) => {
    await server.setAccount({ user: 'desk', password: 'right' });

    const failure = await failureOf(emailTo('account@patients.example'), ownServer(login));

    expect(failure).toBeInstanceOf(MailUnusable);
    expect(failure).toMatchObject({ code });
    expect(
      await failureOf(emailTo('account@patients.example'), ownServer({ user: 'desk', password: 'right' })),
    ).toBe('sent');
  });
});

describe('a connection that breaks off or hangs', () => {
  it.each([
    ['MAIL', { hang: true }, MailBusy],
    ['RCPT', { hang: true }, MailBusy],
    ['RCPT', { hangUp: true }, MailBusy],
    ['DATA', { hang: true }, MailOutcomeUnknown],
    ['DATA', { hangUp: true }, MailOutcomeUnknown],
  ] as const)('at %s (%j) tells whether the email may have been sent', async (at, fault, kind) => {
    const to = `hung-${at}-${'hang' in fault}@patients.example`.toLowerCase();
    await server.plan({ to: at === 'MAIL' ? '*' : to, at, ...fault });

    expect(await failureOf(emailTo(to), undefined, impatient)).toBeInstanceOf(kind);

    expect(await server.sentTo(to)).toHaveLength(kind === MailOutcomeUnknown ? 1 : 0);
  });

  it('before the greeting, or refused, makes everything wait', async () => {
    const silent = { ...ownServer(), port: await startSocketServer() };
    expect(await failureOf(emailTo('a@b.example'), silent, impatient)).toBeInstanceOf(MailUnusable);
    expect(await failureOf(emailTo('a@b.example'), { ...silent, port: 1 })).toBeInstanceOf(MailUnusable);
    const away = new SmtpRelay({ url: 'smtp://127.0.0.1:1', hosts: testMailHosts });
    expect(await failureOf(emailTo('a@b.example'), undefined, away)).toBeInstanceOf(MailUnusable);
    const none = new SmtpRelay({ hosts: testMailHosts });
    expect(await failureOf(emailTo('a@b.example'), undefined, none)).toBeInstanceOf(MailUnusable);
  });
});

describe('a server that is slow', () => {
  it('to answer to the whole email has taken it, also after the deadline of the rest', async () => {
    const slow = await startSlowServer(3_500);
    const patient = new SmtpRelay({ url: slow, hosts: testMailHosts, deadlineMs: 3_000 });
    expect(await failureOf(emailTo('a@b.example'), undefined, patient)).toBe('sent');
  });

  it('to take many bytes gets time for them', async () => {
    async function* trickling(): AsyncGenerator<Buffer> {
      for (let count = 0; count < 6; count += 1) {
        yield Buffer.alloc(100_000);
        await delay(250);
      }
    }
    const options = { url: server.smtpUrl, hosts: testMailHosts, deadlineMs: 1_000 };
    const email = emailTo('bytes@patients.example', { attachments: [file(trickling)] });
    expect(await failureOf(email, undefined, new SmtpRelay(options))).toBe('sent');
  });
});

describe('an email that is given up by its sender', () => {
  it('before its end was not sent, and says nothing of the account', async () => {
    const to = 'stopped@patients.example';
    const stop = new AbortController();
    async function* stopping(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(1_000);
      stop.abort();
      await new Promise(() => undefined);
    }
    const email = emailTo(to, { attachments: [file(stopping)] });
    await expect(relay.send(email, undefined, stop.signal)).rejects.toBeInstanceOf(MailBusy);
    await expect(relay.send(emailTo(to), undefined, stop.signal)).rejects.toBeInstanceOf(MailBusy);
    expect(await server.sentTo(to)).toEqual([]);
  });
});

describe('a file that cannot be read', () => {
  async function* half(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(100_000);
    throw new ProviderBusy('storage', 'timeout');
  }
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(1_000);
    await new Promise(() => undefined);
  }

  it('leaves the email unsent, and names the storage', async () => {
    const to = 'half@patients.example';
    const failure = await failureOf(emailTo(to, { attachments: [file(half)] }));
    expect(failure).toMatchObject({ provider: 'storage', code: 'timeout' });
    expect(await server.sentTo(to)).toEqual([]);
  });

  it('and never ends is given up, unsent', async () => {
    const to = 'endless@patients.example';
    expect(
      await failureOf(emailTo(to, { attachments: [file(endless)] }), undefined, impatient),
    ).toBeInstanceOf(MailBusy);
    expect(await server.sentTo(to)).toEqual([]);
  });
});

describe('the address of a mail server', () => {
  const strict = new AddressPolicy({
    requireHttps: true,
    allowedNetworks: [],
    resolve: async () => [{ address: '10.0.0.7', family: 4 }],
  });
  const relayTo = () => new SmtpRelay({ url: server.smtpUrl, hosts: strict });

  it.each(['127.0.0.1', '0x7f.1', 'mail.clinic.example', 'mail.internal'])(
    'is checked at the connection: %s',
    async (host) => {
      const failure = await failureOf(emailTo('a@b.example'), { ...ownServer(), host }, relayTo());
      expect(failure).toBeInstanceOf(MailUnusable);
      expect(failure).toMatchObject({ code: 'address_refused' });
    },
  );
});
