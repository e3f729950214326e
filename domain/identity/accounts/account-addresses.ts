import type { Database, WithinWorkspaces } from '../../../db/database.js';
import type { AccountRow } from '../../../db/identity/models/account.js';
import { findMember } from '../../../db/people/members.js';
import type { IdentityTx } from '../../../db/tx.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { recordAccountAudit } from '../../kernel/audit/record-audit.js';
import { Conflict, Forbidden, InvalidInput } from '../../lib/errors.js';
import { changeMembers } from '../../people/members/change-member.js';
import { issueLoginCode } from '../login-codes/issue-login-code.js';
import type { LoginIdentifier } from '../login-codes/login-identifier.js';
import { tryLoginCode } from '../login-codes/try-login-code.js';
import type { AnonymousContext } from '../sessions/anonymous-context.js';
import { takeAddress } from '../sessions/verify-address.js';

/** How long after signing in the addresses of an account may be changed. */
const recentMs = 3_600_000;

/** Sends a code to a new address of the caller. @throws Forbidden `sign_in_again`, Conflict `opted_out` and others */
export async function requestAddress(
  context: AccountContext & AnonymousContext,
  input: { email?: string; phone?: string },
): Promise<{ uuid: string; expiresAt: Date }> {
  requireRecent(context);
  const forAccountId = context.account.id;
  return issueLoginCode(context, input, async (_tx, { address }) => ({ forAccountId, newAddress: address }));
}

/**
 * Gives the caller's account a proved address, also in members that have the old one or a pending new one. Replacing
 * one ends the other sessions. @throws Forbidden `sign_in_again`, InvalidInput `code_refused`, Conflict
 * `address_taken`, TooManyRequests
 */
export async function confirmAddress(
  context: AccountContext & AnonymousContext,
  input: { loginCodeUuid: string; code: string },
): Promise<AccountRow> {
  requireRecent(context);
  const { account } = context;
  const outcome = await tryLoginCode(context, {
    loginCodeUuid: input.loginCodeUuid,
    digits: input.code,
    isMeant: ({ forAccountId }) => forAccountId === account.id,
    refused: () => InvalidInput.field('/code', 'is wrong, used or no longer valid', 'code_refused'),
    async use(tx, within, { channel, newAddress }) {
      if (newAddress === null) return undefined;
      return { changed: await giveAddress(context, tx, within, { channel, address: newAddress }) };
    },
  });
  if (outcome.changed !== undefined) return outcome.changed;
  throw new Conflict('address_taken', 'Another account has this address. Sign in with it instead.');
}

/** Returns undefined if another account keeps the address, or if the account of the caller is disabled. */
async function giveAddress(
  context: AccountContext,
  tx: IdentityTx,
  within: WithinWorkspaces,
  identifier: LoginIdentifier,
): Promise<AccountRow | undefined> {
  const { db, clock, credential } = context;
  const { accounts, sessions, memberships } = db.identity;
  const { channel, address } = identifier;
  const now = clock.now();
  const before = await accounts.lock(context.account.id, tx);
  if (before === undefined || !before.enabled) return undefined;
  if (!(await takeFromOther(db, tx, before, identifier, now))) return undefined;

  const proof = { [channel]: address, [`${channel}VerifiedAt`]: now, updatedAt: now };
  await accounts.update(before.id, proof, tx);
  const account = await takeAddress(context, tx, within, identifier);
  recordAccountAudit(tx, { now, credential }, before.id, 'address:changed', { names: [channel] });
  const replaced = before[channel];
  if (replaced === null || replaced === address) return account;
  for (const { workspaceId, memberId } of await memberships.listOwn(before.id, tx)) {
    await within.inWorkspace(workspaceId, async (inside) => {
      const member = await findMember(inside, memberId);
      if (member?.[channel] !== replaced) return;
      await changeMembers(inside, { now }, [{ member, changes: { [channel]: address } }]);
    });
  }
  const owner = { accountId: before.id, workspaceId: null, memberId: null };
  await sessions.endAll(owner, now, { except: credential.id, tx });
  return account;
}

/**
 * Whether the address is free, the account's own, or taken from an idle account, whose sessions end: one that is
 * enabled, no superuser, and has neither memberships nor unrevoked API keys.
 */
async function takeFromOther(
  { identity: { accounts, sessions } }: Pick<Database, 'identity'>,
  tx: IdentityTx,
  account: AccountRow,
  { channel, address }: LoginIdentifier,
  now: Date,
): Promise<boolean> {
  const other = await accounts.lockByAddress(channel, address, tx);
  if (other === undefined || other.id === account.id) return true;
  const isIdle = other.enabled && !other.isSuperuser && !(await accounts.takesPart(other.id, tx));
  if (!isIdle) return false;
  await accounts.update(other.id, { [channel]: null, [`${channel}VerifiedAt`]: null, updatedAt: now }, tx);
  await sessions.endAll({ accountId: other.id, workspaceId: null, memberId: null }, now, { tx });
  return true;
}

/** Requires a recent sign-in, so that a session that was left open or stolen cannot take over the account for good. */
function requireRecent({ credential, clock }: AccountContext): void {
  const begunAt = credential.begunAt?.getTime() ?? 0;
  if (begunAt + recentMs > clock.now().getTime()) return;
  throw new Forbidden(
    'session',
    'Changing an address requires a sign-in within the last hour. Sign in again.',
    'sign_in_again',
  );
}
