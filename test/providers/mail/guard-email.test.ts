import { describe, expect, it } from 'vitest';
import { ProviderUnusable } from '../../../providers/failures.js';
import type { EmailRelay, MailServer, OutgoingEmail } from '../../../providers/mail/email-relay.js';
import { emailsAtOnce, guardEmail } from '../../../providers/mail/guard-email.js';
import { MailBusy, MailUnusable } from '../../../providers/mail/mail.js';

const email = {} as OutgoingEmail;
const serverAt = (host: string): MailServer => ({ host, port: 465, security: 'tls' });
const now = () => new Date('2031-05-01T12:00:00Z');
const outcome = (sent: Promise<unknown>) =>
  sent.then(
    () => 'sent',
    (error: Error) => error,
  );

/** A relay whose emails are sent when the test says. */
function hanging() {
  const calls: (string | undefined)[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const relay: EmailRelay = {
    async send(_, server) {
      calls.push(server?.host);
      await released;
      return {};
    },
  };
  return { relay, calls, release };
}

describe('guardEmail', () => {
  it('lets a server that hangs take few places, and leaves the others and the relay theirs', async () => {
    const { relay, calls, release } = hanging();
    const guarded = guardEmail(relay, { now });
    const sending = Array.from({ length: 50 }, () => outcome(guarded.send(email, serverAt('slow.example'))));
    const other = outcome(guarded.send(email, serverAt('other.example')));
    const own = outcome(guarded.send(email));
    await Promise.resolve();

    expect(calls.filter((host) => host === 'slow.example')).toHaveLength(emailsAtOnce.oneServer);
    expect(calls).toContain('other.example');
    expect(calls).toContain(undefined);
    release();
    expect(await other).toBe('sent');
    expect(await own).toBe('sent');
    const turnedAway = (await Promise.all(sending)).filter((one) => one instanceof MailBusy);
    expect(turnedAway).toHaveLength(50 - emailsAtOnce.oneServer);
    expect(await outcome(guarded.send(email, serverAt('slow.example')))).toBe('sent');
  });

  it('limits the servers of others together', async () => {
    const { relay, calls, release } = hanging();
    const guarded = guardEmail(relay, { now });
    const sending = Array.from({ length: 30 }, (_, index) =>
      outcome(guarded.send(email, serverAt(`n${index}.example`))),
    );
    await Promise.resolve();
    expect(calls).toHaveLength(emailsAtOnce.otherServers);
    release();
    await Promise.all(sending);
  });

  it('asks a server whose account is unusable once a minute, and tells of the relay only', async () => {
    const conditions: string[] = [];
    let calls = 0;
    const relay: EmailRelay = {
      async send() {
        calls += 1;
        throw new MailUnusable('535');
      },
    };
    const guarded = guardEmail(relay, { now, observe: (_, condition) => conditions.push(condition) });

    for (let count = 0; count < 5; count += 1) {
      expect(await outcome(guarded.send(email, serverAt('a.example')))).toBeInstanceOf(ProviderUnusable);
    }
    expect(calls).toBe(1);
    expect(conditions).toEqual([]);
    await outcome(guarded.send(email, serverAt('b.example')));
    expect(calls).toBe(2);
    await outcome(guarded.send(email));
    expect(conditions).toEqual(['unusable']);
  });
});
