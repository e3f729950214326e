import type { LoginChannel, LoginCodeRow } from '../../../db/identity/login-codes.js';
import { type OutreachRefusal, refusalOfCode } from '../../channels/outreach/gate.js';
import { isClaimedByAnother } from '../../kernel/at-most-once.js';
import type { ServiceContext } from '../../kernel/context.js';
import { type AddressUnknown, addressOfCode } from './address-of-code.js';
import type { LoginSecret } from './login-secret.js';
import { countSms, type SmsLimits, type SmsRefusal } from './sms-limits.js';

/** Why a code is not sent. */
export type NotSent =
  | AddressUnknown
  | SmsRefusal
  | Extract<OutreachRefusal, 'opted_out'>
  | 'out_of_date'
  | 'claimed_before';

export type LoginCodeClaim =
  | { kind: 'claimed'; channel: LoginChannel; to: string; code: string }
  | { kind: 'not_sent'; reason: NotSent };

type SendingContext = ServiceContext & { secret: LoginSecret; limits: SmsLimits };

/**
 * Claims the single attempt to send a code before the provider is called, so that the code is sent at most once.
 * Decides at this moment whether the code may be sent at all, among other checks by the gate for all outreach.
 */
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
