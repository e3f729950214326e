import { describe, expect, it } from 'vitest';
import { ProviderUnusable } from '../../../providers/failures.js';
import type { EmailRelay, MailServer, OutgoingEmail } from '../../../providers/mail/email-relay.js';
import { guardEmail } from '../../../providers/mail/guard-email.js';
import { MailUnusable } from '../../../providers/mail/mail.js';

const email = {} as OutgoingEmail;
const serverAt = (host: string): MailServer => ({ host, port: 465, security: 'tls' });
const now = () => new Date('2031-05-01T12:00:00Z');
const outcome = (sent: Promise<unknown>) =>
  sent.then(
    () => 'sent',
    (error: Error) => error,
  );

describe('guardEmail', () => {
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
