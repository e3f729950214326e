import type { Database, IdentityTx } from '../../db/database.js';
import type { LoginCodeRow } from '../../db/identity/login-codes.js';
import { isDeadlock, violatedConstraint } from '../../db/violated-constraint.js';
import { Unauthenticated } from '../errors.js';
import { isOutOfDate } from '../login-codes/claim-login-code.js';
import { type Counted, countAll, loginLimits, mostWrongTries } from '../login-codes/login-limits.js';
import { type BegunSession, beginSession } from './begin-session.js';
import { proveAddress } from './prove-address.js';
import type { VisitorContext } from './visitor-context.js';

/**
 * Signs an account in by a code that was sent to it, which proves the address; an address that only members say is theirs
 * becomes an account's by it. Every other way this can go looks the same: wrong digits, a code that is used, over,
 * superseded or tried too often, none at all, a disabled account.
 *
 * @throws Unauthenticated `login_refused`, TooManyRequests
 */
export async function signInByCode(
  context: VisitorContext,
  input: { loginCodeUuid: string; code: string },
): Promise<BegunSession> {
  const { db, secret, visitor } = context;
  const asked = await db.identity.loginCodes.findByUuid(input.loginCodeUuid);
  const byAddress: Counted = {
    key: secret.hash('tries by address', visitor.address),
    limit: loginLimits.wrongTriesPerAddress,
  };
  const byIdentifier: Counted = {
    key: secret.hash('tries by identifier', asked?.identifierHash.toString('hex') ?? ''),
    limit: loginLimits.wrongTriesPerIdentifier,
  };

  const outcome = await retryingContended(db, async (tx, within) => {
    // Counted before the look and given back after a right one: many at once cannot look more often than that.
    const refusal = await countAll(
      context,
      tx,
      asked === undefined ? [byAddress] : [byAddress, byIdentifier],
    );
    if (refusal !== undefined) return { refusal };
    const tried = asked && (await tryCode(context, tx, asked.uuid, input.code));
    // Nothing is learnt by trying what is good for nothing: it does not keep the person out.
    if (tried?.kind === 'void') await db.identity.loginLimits.giveBack(byIdentifier.key, tx);
    const account = tried?.kind === 'right' ? await proveAddress(context, tx, within, tried.code) : undefined;
    if (account === undefined) return { refusal: loginRefused() };
    await db.identity.loginLimits.giveBack(byAddress.key, tx);
    await db.identity.loginLimits.forget(byIdentifier.key, tx);
    const owner = { accountId: account.id, workspaceId: null, memberId: null };
    return { begun: await beginSession(context, tx, owner) };
  });
  if (outcome.refusal !== undefined) throw outcome.refusal;
  return outcome.begun;
}

const mostAttempts = 3;
/** Addresses that another request may give to another member between the look at them and the write. */
const contended = new Set(['members_email_key', 'members_phone_key']);

/** Runs the transaction anew where another one held it up: nothing of it is left, the use of the code included. */
async function retryingContended<T>(
  db: Pick<Database, 'inIdentity'>,
  work: Parameters<typeof db.inIdentity<T>>[0],
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.inIdentity(work);
    } catch (error) {
      const isContended = isDeadlock(error) || contended.has(violatedConstraint(error) ?? '');
      if (!isContended || attempt === mostAttempts) throw error;
    }
  }
}

/** What is answered to whatever is not right. */
export function loginRefused(): Unauthenticated {
  return new Unauthenticated('The code or token is wrong, used or no longer valid.', 'login_refused');
}

type Tried = { kind: 'right'; code: LoginCodeRow } | { kind: 'wrong' } | { kind: 'void' };

/** Uses the code up if these are its digits; else notes one wrong try, unless the code is good for nothing. */
async function tryCode(
  { db, clock, secret }: VisitorContext,
  tx: IdentityTx,
  uuid: string,
  digits: string,
): Promise<Tried> {
  const right = secret.isCodeOf(uuid, digits);
  const code = await db.identity.loginCodes.lock(uuid, tx);
  if (code === undefined || isOutOfDate(code, clock.now()) || code.wrongTries >= mostWrongTries) {
    return { kind: 'void' };
  }
  const changes = right ? { usedAt: clock.now() } : { wrongTries: code.wrongTries + 1 };
  await db.identity.loginCodes.update(code.id, changes, tx);
  return right ? { kind: 'right', code } : { kind: 'wrong' };
}
