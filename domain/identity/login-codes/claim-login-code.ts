import type { LoginChannel, LoginCodeRow } from '../../../db/identity/models/login-code.js';
import { type OutreachRefusal, refusalOfCode } from '../../channels/outreach/gate.js';
import { type ActOutcome, changesOfOutcome, isClaimedByAnother } from '../../kernel/at-most-once.js';
import type { ServiceContext } from '../../kernel/context.js';
import { type AddressUnknown, addressOfCode } from './address-of-code.js';
import { countSms, type SendingContext, type SmsRefusal } from './sms-limits.js';

export type NotSent =
  | AddressUnknown
  | SmsRefusal
  | Extract<OutreachRefusal, 'opted_out'>
  | 'out_of_date'
  | 'claimed_before';

type LoginCodeClaim =
  | { kind: 'claimed'; channel: LoginChannel; to: string; code: string }
  | { kind: 'not_sent'; reason: NotSent };

/** Claims the single attempt to send a code, before the provider is called, unless it may no longer be sent. */
export async function claimLoginCode(
  context: SendingContext,
  loginCodeUuid: string,
  token: string,
): Promise<LoginCodeClaim> {
  const { db, clock, secret } = context;
  const { loginCodes } = db.identity;
  return db.inIdentity(async (tx, within): Promise<LoginCodeClaim> => {
    const code = await loginCodes.lock(loginCodeUuid, tx);
    if (code === undefined || isOutOfDate(code, clock.now())) return notSent('out_of_date');
    if (isClaimedByAnother(code, token)) return notSent('claimed_before');
    const found = await addressOfCode({ identity: db.identity, within, secret }, tx, code);
    if (found.kind === 'unknown') return notSent(found.reason);
    const { address: recipient } = found;
    const refusal =
      (await refusalOfCode(tx, db.identity, { channel: code.channel, recipient })) ??
      (code.channel === 'phone' ? await countSms(context, tx, recipient) : undefined);
    const claim = { claimedAt: clock.now(), claimToken: token };
    await loginCodes.update(code.id, { ...claim, ...(refusal && { failureReason: refusal }) }, tx);
    if (refusal !== undefined) return notSent(refusal);
    return { kind: 'claimed', channel: code.channel, to: recipient, code: secret.codeOf(code) };
  });
}

/** Whether a code can no longer be used by anyone. */
export function isOutOfDate(code: LoginCodeRow, now: Date): boolean {
  return code.usedAt !== null || code.supersededAt !== null || code.expiresAt <= now;
}

function notSent(reason: NotSent): LoginCodeClaim {
  return { kind: 'not_sent', reason };
}

const warning = 'Nobody from our side will ever ask you for it.';

export function loginCodeText(code: string): { subject: string; text: string; sms: string } {
  return {
    subject: `${code} is your sign-in code`,
    text: [
      `Your sign-in code is ${code}`,
      '',
      `It is good for ten minutes and for one use. ${warning}`,
      'If you did not ask for a code, somebody mistyped an address: you need not do anything.',
      '',
    ].join('\n'),
    sms: `${code} is your sign-in code, good for ten minutes. ${warning}`,
  };
}

export async function recordLoginCodeSending(
  { db, clock }: ServiceContext,
  loginCodeUuid: string,
  outcome: ActOutcome<unknown>,
  token: string,
): Promise<void> {
  await db.inIdentity(async (tx) => {
    const code = await db.identity.loginCodes.lock(loginCodeUuid, tx);
    if (code === undefined || code.claimToken !== token) return;
    await db.identity.loginCodes.update(code.id, changesOfOutcome(outcome, clock.now()), tx);
  });
}
