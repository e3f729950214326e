import type { LoginChannel, LoginCodeRow } from '../../db/identity/login-codes.js';
import { isClaimedByAnother } from '../at-most-once.js';
import type { ServiceContext } from '../context.js';
import { type AddressUnknown, addressOfCode } from './address-of-code.js';
import type { LoginSecret } from './login-secret.js';

/** Why a code is not sent. */
export type NotSent = AddressUnknown | 'out_of_date' | 'claimed_before';

export type LoginCodeClaim =
  | { kind: 'claimed'; channel: LoginChannel; to: string; code: string }
  | { kind: 'not_sent'; reason: NotSent };

type SendingContext = ServiceContext & { secret: LoginSecret };

/**
 * Takes the one attempt at sending a code, before anybody outside is asked: at most once after this. Whether it is to
 * be sent at all is decided here, at the moment of sending.
 */
export async function claimLoginCode(
  { db, clock, secret }: SendingContext,
  loginCodeUuid: string,
  token: string,
): Promise<LoginCodeClaim> {
  const { loginCodes } = db.identity;
  return db.inIdentity(async (tx, within): Promise<LoginCodeClaim> => {
    const code = await loginCodes.lock(loginCodeUuid, tx);
    if (code === undefined || isOutOfDate(code, clock.now())) return notSent('out_of_date');
    if (isClaimedByAnother(code, token)) return notSent('claimed_before');
    const found = await addressOfCode({ identity: db.identity, within, secret }, tx, code);
    if (found.kind === 'unknown') return notSent(found.reason);
    await loginCodes.update(code.id, { claimedAt: clock.now(), claimToken: token }, tx);
    return { kind: 'claimed', channel: code.channel, to: found.address, code: secret.codeOf(code.uuid) };
  });
}

/** Whether a code is good for nothing any more, whoever types it. */
export function isOutOfDate(code: LoginCodeRow, now: Date): boolean {
  return code.usedAt !== null || code.supersededAt !== null || code.expiresAt <= now;
}

function notSent(reason: NotSent): LoginCodeClaim {
  return { kind: 'not_sent', reason };
}
