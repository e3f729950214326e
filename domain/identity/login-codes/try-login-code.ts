import type { Database, IdentityTx, WithinWorkspaces } from '../../../db/database.js';
import type { LoginCodeRow } from '../../../db/identity/login-codes.js';
import { isDeadlock, violatedConstraint } from '../../../db/violated-constraint.js';
import type { DomainError } from '../../lib/errors.js';
import type { AnonymousContext } from '../sessions/anonymous-context.js';
import { isOutOfDate } from './claim-login-code.js';
import { countAll, countedTries, mostWrongTries } from './login-limits.js';

interface Attempt<T> {
  loginCodeUuid: string;
  digits: string;
  /** Whether a code is meant for this at all; one that is not is good for nothing. */
  isMeant(code: LoginCodeRow): boolean;
  /** What comes of the right digits; undefined where nothing does. */
  use(tx: IdentityTx, within: WithinWorkspaces, code: LoginCodeRow): Promise<T | undefined>;
  /** What is answered to whatever is not right. */
  refused(): DomainError;
}

/**
 * Tries digits at a code, in one transaction with what comes of the right ones. Tries are counted before the look and
 * given back after a right one, so that many at once do not look more often than the quotas allow. Where another request
 * held the transaction up, all of it is done anew.
 *
 * @throws what `refused` makes, TooManyRequests
 */
export async function tryLoginCode<T>(context: AnonymousContext, attempt: Attempt<T>): Promise<T> {
  const { db } = context;
  const { loginCodes, loginLimits } = db.identity;
  const asked = await loginCodes.findByUuid(attempt.loginCodeUuid);
  const { byAddress, byRequester, byIdentifier } = countedTries(context, asked?.identifierHash);

  const outcome = await retryingContended(db, async (tx, within) => {
    const refusal = await countAll(context, tx, [byAddress, byRequester, byIdentifier]);
    if (refusal !== undefined) return { refusal };
    const tried = asked === undefined ? undefined : await tryDigits(context, tx, asked.uuid, attempt);
    // Nothing is learnt by trying what is good for nothing: it does not keep the person out.
    if (tried?.kind === 'void') {
      for (const counted of [byRequester, byIdentifier]) {
        if (counted !== null) await loginLimits.giveBack(counted.key, tx);
      }
    }
    const value = tried?.kind === 'right' ? await attempt.use(tx, within, tried.code) : undefined;
    if (value === undefined) return { refusal: attempt.refused() };
    for (const counted of [byAddress, byIdentifier]) {
      if (counted !== null) await loginLimits.giveBack(counted.key, tx);
    }
    if (byRequester !== null) await loginLimits.forget(byRequester.key, tx);
    return { value };
  });
  if (outcome.refusal !== undefined) throw outcome.refusal;
  return outcome.value;
}

const mostAttempts = 3;
/** Addresses that another request may give to another member or account between the look at them and the write. */
const contended = new Set([
  'members_email_key',
  'members_phone_key',
  'accounts_email_key',
  'accounts_phone_key',
]);

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

type Tried = { kind: 'right'; code: LoginCodeRow } | { kind: 'wrong' } | { kind: 'void' };

/** Uses the code up if these are its digits; else notes one wrong try, unless the code is good for nothing. */
async function tryDigits(
  { db, clock, secret }: AnonymousContext,
  tx: IdentityTx,
  uuid: string,
  { digits, isMeant }: Pick<Attempt<unknown>, 'digits' | 'isMeant'>,
): Promise<Tried> {
  const code = await db.identity.loginCodes.lock(uuid, tx);
  const isVoid =
    code === undefined ||
    !isMeant(code) ||
    isOutOfDate(code, clock.now()) ||
    code.wrongTries >= mostWrongTries;
  if (isVoid) return { kind: 'void' };
  const right = secret.isCodeOf(code, digits);
  const changes = right ? { usedAt: clock.now() } : { wrongTries: code.wrongTries + 1 };
  await db.identity.loginCodes.update(code.id, changes, tx);
  return right ? { kind: 'right', code } : { kind: 'wrong' };
}
