import type { ReadingDatabase } from '../../../db/database.js';
import type { IdentityStore } from '../../../db/identity/identity-store.js';
import type { LoginChannel, LoginCodeRow } from '../../../db/identity/models/login-code.js';
import { findMember } from '../../../db/people/members.js';
import { selectUnprovedIdentifiers } from '../../../db/people/unproved-identifiers.js';
import type { IdentityTx, Tx } from '../../../db/tx.js';
import { isAddressOf } from './login-identifier.js';
import type { LoginSecret } from './login-secret.js';

export type AddressUnknown = 'no_account' | 'account_disabled' | 'address_changed';

export type AddressOfCode = { kind: 'known'; address: string } | { kind: 'unknown'; reason: AddressUnknown };

/**
 * Finds the address of a code, which keeps only a hash: in the account that has it, else in the member that has it or
 * for which it is pending. Unknown if the address has changed.
 */
export async function addressOfCode(
  { identity, within, secret }: { identity: IdentityStore; within: ReadingDatabase; secret: LoginSecret },
  tx: IdentityTx,
  code: LoginCodeRow,
): Promise<AddressOfCode> {
  const { accountId, claimantWorkspaceId, claimantMemberId, forAccountId, newAddress } = code;
  const holderId = newAddress === null ? accountId : forAccountId;
  if (holderId !== null) {
    const account = await identity.accounts.findById(holderId, tx);
    if (account === undefined) return unknown('no_account');
    if (!account.enabled) return unknown('account_disabled');
    if (newAddress !== null) return { kind: 'known', address: newAddress };
    const address = account[code.channel];
    const isStill = address !== null && isAddressOf(address, code, secret);
    return isStill ? { kind: 'known', address } : unknown('address_changed');
  }
  if (claimantWorkspaceId === null || claimantMemberId === null) return unknown('no_account');
  const said = await within.readInWorkspace(claimantWorkspaceId, (inside) =>
    addressesSaidOf(inside, claimantMemberId, code.channel),
  );
  const address = said.find((one) => isAddressOf(one, code, secret));
  if (address === undefined) return unknown('address_changed');
  const open = await identity.claims.findFirst(code.channel, address, tx);
  return open === undefined ? unknown('account_disabled') : { kind: 'known', address };
}

async function addressesSaidOf(tx: Tx, memberId: number, channel: LoginChannel): Promise<string[]> {
  const member = await findMember(tx, memberId);
  if (member === undefined) return [];
  const unproved = await selectUnprovedIdentifiers(tx, memberId);
  const pending = unproved.filter((one) => one.channel === channel).map(({ address }) => address);
  return [...(member[channel] === null ? [] : [member[channel]]), ...pending];
}

function unknown(reason: AddressUnknown): AddressOfCode {
  return { kind: 'unknown', reason };
}
