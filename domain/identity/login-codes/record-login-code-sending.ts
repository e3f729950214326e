import type { LoginCodeChanges } from '../../../db/identity/login-codes.js';
import type { ActOutcome } from '../../kernel/at-most-once.js';
import type { ServiceContext } from '../../kernel/context.js';

/** Records the outcome of a claimed attempt to send a code. */
export async function recordLoginCodeSending(
  { db, clock }: ServiceContext,
  loginCodeUuid: string,
  outcome: ActOutcome<unknown>,
  token: string,
): Promise<void> {
  await db.inIdentity(async (tx) => {
    const code = await db.identity.loginCodes.lock(loginCodeUuid, tx);
    if (code === undefined || code.claimToken !== token) return;
    await db.identity.loginCodes.update(code.id, changes(outcome, clock.now()), tx);
  });
}

function changes(outcome: ActOutcome<unknown>, now: Date): LoginCodeChanges {
  switch (outcome.kind) {
    case 'done':
      return { sentAt: now };
    case 'released':
      return { claimedAt: null, claimToken: null };
    case 'unknown':
      return { failureReason: 'unknown_outcome' };
    case 'refused':
      return { failureReason: outcome.reason };
  }
}
