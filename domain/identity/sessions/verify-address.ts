import type { Database, WithinWorkspaces } from '../../../db/database.js';
import type { Claim } from '../../../db/identity/claims.js';
import type { AccountRow } from '../../../db/identity/models/account.js';
import type { LoginCodeRow } from '../../../db/identity/models/login-code.js';
import { findMember } from '../../../db/people/members.js';
import type { IdentityTx } from '../../../db/tx.js';
import type { Clock } from '../../lib/clock.js';
import { adoptProved, bindIdentifiers, disputeAddress } from '../../people/members/unproved-identifiers.js';
import { addressOfCode } from '../login-codes/address-of-code.js';
import type { LoginIdentifier } from '../login-codes/login-identifier.js';
import { endMemberAccess } from '../member-tokens/member-tokens.js';
import type { AnonymousContext } from './anonymous-context.js';

/**
 * The account of the person who proved an address. Undefined if nothing has it any more, or the account is disabled.
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
 * Links the account of a proved address to every member that has the address and that no person has signed in as, binds
 * these members to the proved addresses, and ends the access to them by tokens. Where a form gave the address to somebody
 * else's member, it is disputed. Without an account, the oldest
 * stand-alone one of these members takes the address, else a new one. Undefined if the account is disabled, or nothing
 * has the address.
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
  // Another code for the same address may have been used while this transaction waited for the locks of the members.
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
  const barred = await identity.claims.findBarred(channel, address, tx);
  for (const { workspaceId, memberId, accountId } of barred) {
    if (accountId === id) continue;
    await within.inWorkspace(workspaceId, (inside) =>
      disputeAddress(inside, { now }, { memberId, channel, address }),
    );
  }
  const proved = provedAddresses(account);
  for (const { workspaceId, memberId } of [...given, ...own]) {
    await within.inWorkspace(workspaceId, async (inside) => {
      await bindIdentifiers(inside, { now }, memberId, proved);
      await adoptProved(inside, { now }, memberId, proved);
    });
  }
  return account;

  /** The new account has name and locale of the oldest member; a member with a pending address contributes nothing. */
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

/** The proved addresses of an account; null for a channel without an address or with an unproved one. */
function provedAddresses({
  email,
  phone,
  emailVerifiedAt,
  phoneVerifiedAt,
}: AccountRow): Record<'email' | 'phone', string | null> {
  return { email: emailVerifiedAt === null ? null : email, phone: phoneVerifiedAt === null ? null : phone };
}
