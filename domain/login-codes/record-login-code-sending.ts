import type { LoginCodeChanges } from '../../db/identity/login-codes.js';
import type { ServiceContext } from '../context.js';

/** What became of a claimed attempt at sending a code. */
export type LoginCodeSending =
  | { kind: 'sent' }
  | { kind: 'failed'; reason: string }
  /** It certainly did not go out, and may be tried again. */
  | { kind: 'released' };

/** Notes what became of an attempt at sending a code. */
export async function recordLoginCodeSending(
  { db, clock }: ServiceContext,
  loginCodeUuid: string,
  sending: LoginCodeSending,
): Promise<void> {
  await db.inIdentity(async (tx) => {
    const code = await db.identity.loginCodes.lock(loginCodeUuid, tx);
    if (code !== undefined) await db.identity.loginCodes.update(code.id, changes(sending, clock.now()), tx);
  });
}

function changes(sending: LoginCodeSending, now: Date): LoginCodeChanges {
  if (sending.kind === 'sent') return { sentAt: now };
  return sending.kind === 'failed' ? { failureReason: sending.reason } : { claimedAt: null };
}
