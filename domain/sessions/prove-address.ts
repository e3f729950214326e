import type { IdentityTx, ReadingDatabase } from '../../db/database.js';
import type { AccountRow } from '../../db/identity/accounts.js';
import type { Claim } from '../../db/identity/claims.js';
import type { LoginCodeRow } from '../../db/identity/login-codes.js';
import { findMember } from '../../db/queries/members.js';
import { addressOfCode } from '../login-codes/address-of-code.js';
import type { VisitorContext } from './visitor-context.js';

/**
 * The account of whoever proved an address by a code. From now on it is behind every member that says the address is
 * theirs and that nobody has signed in as. Where no account has the address, one comes of it: the oldest of those that
 * stood alone behind these members, else a new one. Whoever was let in as one of them on a token, which proves nothing, is
 * out. Undefined where nobody has the address any more, or the account is disabled.
 */
export async function proveAddress(
  { db: { identity }, clock, secret }: VisitorContext,
  tx: IdentityTx,
  within: ReadingDatabase,
  code: LoginCodeRow,
): Promise<AccountRow | undefined> {
  const found = await addressOfCode({ identity, within, secret }, tx, code);
  if (found.kind === 'unknown') return undefined;
  const { accounts } = identity;
  const { channel } = code;
  const { address } = found;
  const now = clock.now();

  const known = await accounts.lockByAddress(channel, address, tx);
  const claims = await identity.claims.hold(channel, address, tx);
  const alone = await accounts.lockAlone(
    claims.flatMap(({ accountId }) => accountId ?? []),
    tx,
  );
  // A code for the same address may have been used while the members were waited for.
  const owner = known ?? (await accounts.lockByAddress(channel, address, tx));
  if (owner?.enabled === false) return undefined;
  const open = claims.filter(({ accountId }) => accountId === null || alone.includes(accountId));
  const id = owner?.id ?? alone[0] ?? (await accountFor(open[0]));
  if (id === undefined) return undefined;

  const verifiedAt = owner?.[`${channel}VerifiedAt`] ?? now;
  const proof = { [channel]: address, [`${channel}VerifiedAt`]: verifiedAt, standsAlone: false };
  const account = await accounts.update(id, proof, tx);
  const given = await identity.claims.give(id, open, now, tx);
  // In this order: a token that is being used has become a session then.
  await identity.memberTokens.removeUnusedOf(given, tx);
  await identity.sessions.endAllOf(given, now, tx);
  return account;

  /** An account as the member's workspace knows the person. */
  async function accountFor(claim: Claim | undefined): Promise<number | undefined> {
    if (claim === undefined) return undefined;
    const { workspaceId, memberId } = claim;
    const member = await within.readInWorkspace(workspaceId, (inside) => findMember(inside, memberId));
    const account = await accounts.create(
      {
        name: member?.name ?? null,
        locale: member?.locale ?? undefined,
        signupWorkspaceId: workspaceId,
        createdAt: now,
        updatedAt: now,
      },
      tx,
    );
    return account.id;
  }
}
