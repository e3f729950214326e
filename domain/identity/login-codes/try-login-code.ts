import type { Database, WithinWorkspaces } from '../../../db/database.js';
import { countAccountAuditEvent } from '../../../db/identity/audit-events.js';
import type { LoginCodeRow } from '../../../db/identity/models/login-code.js';
import { isDeadlock, violatedConstraint } from '../../../db/postgres-errors.js';
import type { IdentityTx } from '../../../db/tx.js';
import { auditEvent } from '../../kernel/audit/record-audit.js';
import type { DomainError } from '../../lib/errors.js';
import type { AnonymousContext } from '../sessions/anonymous-context.js';
import { isOutOfDate } from './claim-login-code.js';
import { countAll, countedTries, maxWrongTries } from './login-limits.js';

interface Attempt<T> {
  loginCodeUuid: string;
  digits: string;
  /** Whether a code was issued for this purpose; any other code cannot be used. */
  isMeant(code: LoginCodeRow): boolean;
  /** Called with the right digits. Returns undefined if the code still leads to nothing. */
  use(tx: IdentityTx, within: WithinWorkspaces, code: LoginCodeRow): Promise<T | undefined>;
  /** The error for every failure, which must not reveal the reason. */
  refused(): DomainError;
}

/**
 * Tries digits for a code, in one transaction with the effect of the right ones. A try is counted before the digits are
 * compared, so that concurrent tries cannot exceed the quotas.
 * @throws the error that `refused` creates, TooManyRequests
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
    // A try of an unusable code reveals nothing, so it does not use up the quota of the person.
    if (tried?.kind === 'void') {
      for (const counted of [byRequester, byIdentifier]) {
        if (counted !== null) await loginLimits.giveBack(counted.key, tx);
      }
    }
    if (tried?.kind === 'wrong') recordWrongCode(context, tx, asked);
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

/** Counted in the log of the account: one row an hour, whoever tries. An address without an account has no log. */
function recordWrongCode({ clock, visitor }: AnonymousContext, tx: IdentityTx, asked?: LoginCodeRow): void {
  const accountId = asked?.forAccountId ?? asked?.accountId ?? null;
  if (accountId === null) return;
  const now = clock.now();
  const event = auditEvent(now, 'login:refused', undefined, {}, visitor);
  const hour = new Date(now.getTime() - (now.getTime() % 3_600_000));
  countAccountAuditEvent(tx, { ...event, accountId }, { hour, count: 1 });
}

const maxAttempts = 3;
/** Unique constraints on addresses, which another request may take between the read and the write. */
const contended = new Set([
  'members_email_key',
  'members_phone_key',
  'accounts_email_key',
  'accounts_phone_key',
]);

/** Repeats the transaction after a deadlock or such a violation: the rollback undoes all, also the use of the code. */
async function retryingContended<T>(
  db: Pick<Database, 'inIdentity'>,
  work: Parameters<typeof db.inIdentity<T>>[0],
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.inIdentity(work);
    } catch (error) {
      const isContended = isDeadlock(error) || contended.has(violatedConstraint(error) ?? '');
      if (!isContended || attempt === maxAttempts) throw error;
    }
  }
}

type Tried = { kind: 'right'; code: LoginCodeRow } | { kind: 'wrong' } | { kind: 'void' };

/** Marks the code as used if the digits are right; otherwise counts one wrong try, unless the code cannot be used. */
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
    code.wrongTries >= maxWrongTries;
  if (isVoid) return { kind: 'void' };
  const right = secret.isCodeOf(code, digits);
  const changes = right ? { usedAt: clock.now() } : { wrongTries: code.wrongTries + 1 };
  await db.identity.loginCodes.update(code.id, changes, tx);
  return right ? { kind: 'right', code } : { kind: 'wrong' };
}
