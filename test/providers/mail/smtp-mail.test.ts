import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailBusy, MailOutcomeUnknown, MailRefused, MailUnusable } from '../../../providers/mail/mail.js';
import { SmtpMail } from '../../../providers/mail/smtp-mail.js';
import { type SimulatedMail, startMail } from '../../support/simulators/simulated-mail.js';
import { startSocketServer } from '../misbehaving-server.js';

const message = { to: 'reader@example.com', subject: 'Grüße, 123456', text: 'One line.\n\nÄnother line.\n' };
const from = 'Sign in <login@example.com>';
let server: SimulatedMail;
let mail: SmtpMail;

beforeAll(async () => {
  server = await startMail();
  mail = new SmtpMail({ url: server.smtpUrl, from });
});
afterAll(() => server.close());

const failureOf = (sender: SmtpMail, to = message.to) =>
  sender.send({ ...message, to }).catch((error: unknown) => error);

describe('SmtpMail', () => {
  it('sends a mail as it was written, with the configured sender', async () => {
    await mail.send(message);
    expect(await server.sentTo(message.to)).toMatchObject([
      {
        from: 'login@example.com',
        to: [message.to],
        subject: message.subject,
        text: message.text,
        headers: { 'auto-submitted': 'auto-generated', from: 'Sign in <login@example.com>' },
      },
    ]);
  });

  it.each([
    [550, MailRefused],
    [554, MailRefused],
    [421, MailBusy],
    [451, MailBusy],
  ])('reports a mail that was answered with %i as not accepted', async (reply, kind) => {
    const to = `reply-${reply}@example.com`;
    await server.plan({ to, reply });
    const failure = await failureOf(mail, to);
    expect(failure).toBeInstanceOf(kind);
    expect(failure).toMatchObject({ code: String(reply) });
    expect(await server.sentTo(to)).toEqual([]);
  });

  it('reports an unknown outcome when the server hangs up after it accepted the mail', async () => {
    const to = 'hung-up@example.com';
    await server.plan({ to, hangUp: true });
    expect(await failureOf(mail, to)).toBeInstanceOf(MailOutcomeUnknown);
    expect(await server.sentTo(to)).toHaveLength(1);
  });

  it('reports busy when the server refuses the connection or sends no greeting', async () => {
    const url = `smtp://127.0.0.1:${await startSocketServer()}`;
    expect(await failureOf(new SmtpMail({ url, from, timeoutMs: 200 }))).toBeInstanceOf(MailBusy);
    const nobody = new SmtpMail({ url: 'smtp://127.0.0.1:1', from });
    expect(await failureOf(nobody)).toBeInstanceOf(MailBusy);
  });

  it.each([
    ['a wrong password', '334 ', '535 5.7.8 Authentication failed', '535'],
    ['a sender that the account may not use', '235 ok', '550 5.7.60 Not your sender', '550'],
  ])('reports an unusable account: %s', async (_, onAuth, then, code) => {
    const port = await startSocketServer((socket) => {
      socket.write('220 strict\r\n');
      socket.on('data', (data) => {
        const line = data.toString();
        if (line.startsWith('EHLO')) socket.write('250-strict\r\n250 AUTH PLAIN\r\n');
        else if (line.startsWith('AUTH')) socket.write(`${onAuth.startsWith('235') ? onAuth : then}\r\n`);
        else if (line.startsWith('MAIL')) socket.write(`${then}\r\n`);
        else socket.write('250 ok\r\n');
      });
    });
    const failure = await failureOf(new SmtpMail({ url: `smtp://user:secret@127.0.0.1:${port}`, from }));
    expect(failure).toBeInstanceOf(MailUnusable);
    expect(failure).toMatchObject({ code });
  });

  it('never quotes the mail in an error', async () => {
    const to = 'private@example.com';
    for (const fault of [{ reply: 550 }, { reply: 451 }, { hangUp: true }]) {
      await server.plan({ to, ...fault });
      const failure = (await failureOf(mail, to)) as Error;
      expect(`${failure.message} ${failure.stack} ${JSON.stringify(failure)}`).not.toMatch(/private|123456/);
    }
  });
});
