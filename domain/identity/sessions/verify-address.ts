import type { Database, IdentityTx, WithinWorkspaces } from '../../../db/database.js';
import type { AccountRow } from '../../../db/identity/accounts.js';
import type { Claim } from '../../../db/identity/claims.js';
import type { LoginCodeRow } from '../../../db/identity/login-codes.js';
import { findMember } from '../../../db/people/members.js';
import type { Clock } from '../../lib/clock.js';
import { adoptProved, bindIdentifiers } from '../../people/members/unproved-identifiers.js';
import { provedAddresses } from '../accounts/proved-addresses.js';
import { addressOfCode } from '../login-codes/address-of-code.js';
import type { LoginIdentifier } from '../login-codes/login-identifier.js';
import { endMemberAccess } from '../member-tokens/end-member-access.js';
import type { AnonymousContext } from './anonymous-context.js';

/**
 * The account of whoever proved an address by a code (`takeAddress`). Undefined where nobody has the address any more, or
 * the account is disabled.
 */
export async function verifyAddress(
  { db, clock, secret }: AnonymousContext,
  tx: IdentityTx,
  within: WithinWorkspaces,
  code: LoginCodeRow,
): Promise<AccountRow | undefined> {
  const { identity } = db;
  const found = await addressOfCode({ identity, within, secret }, tx, code);
  if (found.kind === 'unknown') return undefined;
  return takeAddress({ db, clock }, tx, within, { channel: code.channel, address: found.address });
}

/**
 * The account that has an address which somebody has just proved. From now on it is behind every member that has the
 * address and that nobody has signed in as, bound to what the account has proved. Where no account has the address, one
 * comes of it: the oldest of those that stood alone behind these members, else a new one. Whoever was let in as one of
 * them on a token is out.
 */
export async function takeAddress(
  { db: { identity }, clock }: { db: Pick<Database, 'identity'>; clock: Clock },
  tx: IdentityTx,
  within: WithinWorkspaces,
  { channel, address }: LoginIdentifier,
): Promise<AccountRow | undefined> {
  const { accounts } = identity;
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
  const pending = await identity.claims.findPending(channel, address, tx);
  const id = owner?.id ?? alone[0] ?? (await newAccount());
  if (id === undefined) return undefined;

  const verifiedAt = owner?.[`${channel}VerifiedAt`] ?? now;
  const proof = { [channel]: address, [`${channel}VerifiedAt`]: verifiedAt, standsAlone: false };
  const account = await accounts.update(id, proof, tx);
  if (account === undefined) return undefined;
  const given = await identity.claims.give(id, open, now, tx);
  await endMemberAccess({ identity }, tx, given, now);
  const own = pending.filter(({ accountId }) => accountId === id);
  const proved = provedAddresses(account);
  for (const { workspaceId, memberId } of [...given, ...own]) {
    await within.inWorkspace(workspaceId, async (inside) => {
      await bindIdentifiers(inside, { now }, memberId, proved);
      await adoptProved(inside, { now }, memberId, proved);
    });
  }
  return account;

  /** As the oldest member's workspace knows the person; of one for whom the address is pending nothing is known. */
  async function newAccount(): Promise<number | undefined> {
    const [first] = open;
    if (first === undefined && pending.length === 0) return undefined;
    const told = first === undefined ? {} : await toldOf(first);
    return (await accounts.create({ ...told, createdAt: now, updatedAt: now }, tx)).id;
  }

  async function toldOf({ workspaceId, memberId }: Claim) {
    const member = await within.readInWorkspace(workspaceId, (inside) => findMember(inside, memberId));
    return {
      name: member?.name ?? null,
      locale: member?.locale ?? undefined,
      signupWorkspaceId: workspaceId,
    };
  }
}
