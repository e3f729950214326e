import type { IdentityTx, ReadingDatabase } from '../../db/database.js';
import type { IdentityStore } from '../../db/identity/identity-store.js';
import type { LoginCodeRow } from '../../db/identity/login-codes.js';
import { findMember } from '../../db/queries/members.js';
import { addressStillOf } from './login-identifier.js';
import type { LoginSecret } from './login-secret.js';

/** Why nobody is to have a code. */
export type AddressUnknown = 'no_account' | 'account_disabled' | 'address_changed';

export type AddressOfCode = { kind: 'known'; address: string } | { kind: 'unknown'; reason: AddressUnknown };

/**
 * The address that a code was asked for with, which is kept as a hash only: out of the account that has it, or else of
 * the member that says it is theirs. Unknown where they have another one by now.
 */
export async function addressOfCode(
  { identity, within, secret }: { identity: IdentityStore; within: ReadingDatabase; secret: LoginSecret },
  tx: IdentityTx,
  code: LoginCodeRow,
): Promise<AddressOfCode> {
  const { accountId, claimantWorkspaceId, claimantMemberId } = code;
  if (accountId !== null) {
    const account = await identity.accounts.findById(accountId, tx);
    if (account === undefined) return unknown('no_account');
    return account.enabled ? stillOf(account, code, secret) : unknown('account_disabled');
  }
  if (claimantWorkspaceId === null || claimantMemberId === null) return unknown('no_account');
  const member = await within.readInWorkspace(claimantWorkspaceId, (inside) =>
    findMember(inside, claimantMemberId),
  );
  if (member === undefined) return unknown('address_changed');
  const address = stillOf(member, code, secret);
  if (address.kind === 'unknown') return address;
  const open = await identity.claims.findFirst(code.channel, address.address, tx);
  return open === undefined ? unknown('account_disabled') : address;
}

function stillOf(
  owner: { email: string | null; phone: string | null },
  code: LoginCodeRow,
  secret: LoginSecret,
): AddressOfCode {
  const address = addressStillOf(owner, code, secret);
  return address === undefined ? unknown('address_changed') : { kind: 'known', address };
}

function unknown(reason: AddressUnknown): AddressOfCode {
  return { kind: 'unknown', reason };
}
