import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { claimLoginCode } from '../../../../domain/identity/login-codes/claim-login-code.js';
import { hashIdentifier } from '../../../../domain/identity/login-codes/login-identifier.js';
import { LoginSecret } from '../../../../domain/identity/login-codes/login-secret.js';
import { countryOfCode } from '../../../../domain/identity/login-codes/sms-limits.js';
import { hours, MovedClock } from '../../../support/lib/moved-clock.js';
import { uniqueEmail } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const clock = new MovedClock(new Date('2031-05-01T12:00:00Z'));
const secret = new LoginSecret('a secret of these tests alone');

/** Adds an account with this address, and claims a login code for it. */
async function claim(
  address: { email: string } | { phone: string },
  limits: { perDay: number; perCountryPerDay: number },
) {
  const { database } = suite.database;
  const { accounts, loginCodes } = database.identity;
  const account = await accounts.create(address);
  const [[channel, value] = ['email', '']] = Object.entries(address);
  const identifierHash = hashIdentifier(secret, { channel: channel as 'email' | 'phone', address: value });
  const code = await database.inIdentity((tx) =>
    loginCodes.insert(
      {
        accountId: account.id,
        claimantWorkspaceId: null,
        claimantMemberId: null,
        channel: channel as 'email' | 'phone',
        identifierHash,
        requesterHash: null,
        nonce: null,
        forAccountId: null,
        newAddress: null,
        expiresAt: new Date(clock.now().getTime() + 600_000),
        createdAt: clock.now(),
      },
      tx,
    ),
  );
  const claimed = await claimLoginCode({ db: database, clock, secret, limits }, code.uuid, randomUUID());
  const again = await claimLoginCode({ db: database, clock, secret, limits }, code.uuid, randomUUID());
  expect(again).toMatchObject({ kind: 'not_sent', reason: 'claimed_before' });
  const { failureReason } = (await loginCodes.findByUuid(code.uuid)) ?? {};
  return claimed.kind === 'claimed' ? 'claimed' : `${claimed.reason}, noted as ${failureReason}`;
}

describe('login codes by SMS', () => {
  it('are limited per country and in total for a day, unlike codes by mail', async () => {
    const limits = { perDay: 3, perCountryPerDay: 2 };
    const said = [];
    for (const address of [
      { phone: '+447400123451' },
      { phone: '+447400123452' },
      { phone: '+447400123453' },
      { phone: '+4915123456781' },
      { phone: '+4915123456782' },
      { email: uniqueEmail() },
    ]) {
      said.push(await claim(address, limits));
    }

    expect(said).toEqual([
      'claimed',
      'claimed',
      'sms_country_limit, noted as sms_country_limit',
      'claimed',
      'sms_limit, noted as sms_limit',
      'claimed',
    ]);
    clock.advance(hours(24));
    expect(await claim({ phone: '+447400123454' }, limits)).toBe('claimed');
  });

  it('go to any plausible number when there is no limit, but never to a premium number', async () => {
    const limits = { perDay: 0, perCountryPerDay: 0 };
    for (let index = 0; index < 5; index += 1) {
      expect(await claim({ phone: `+44740012350${index}` }, limits)).toBe('claimed');
    }
    expect(await claim({ phone: '+449098790879' }, limits)).toBe(
      'implausible_destination, noted as implausible_destination',
    );
  });
});

it.each([
  ['+447400123456', 'GB'],
  ['+12025550123', 'US'],
  ['+15550100199', 'US'],
  ['+449098790879', undefined],
  ['+18002345678', undefined],
  ['+19002345678', undefined],
  ['+881612345678', undefined],
  ['+882161234567', undefined],
  ['not a number', undefined],
])('countryOfCode %s is %s', (phone, destination) => {
  expect(countryOfCode(phone)).toBe(destination);
});
