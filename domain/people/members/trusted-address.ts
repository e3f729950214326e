import type { Tx } from '../../../db/database.js';
import { findMember } from '../../../db/people/members.js';
import {
  isUnprovedIdentifier,
  type MemberAddress,
  selectUnprovedIdentifiers,
} from '../../../db/people/unproved-identifiers.js';
import { addressChannels } from './unproved-identifiers.js';

/**
 * Whether the member has this address, and it is vouched for by the workspace or proved by the person: not merely given
 * by a form or shown by a caller (docs/decisions/0060-identifiers-are-bound-by-proof.md).
 */
export async function isTrustedAddress(tx: Tx, given: MemberAddress): Promise<boolean> {
  const member = await findMember(tx, given.memberId);
  return member?.[given.channel] === given.address && !(await isUnprovedIdentifier(tx, given));
}

/** Whether any address of the member is vouched for or proved. A visitor, and who only filled in a form, has none. */
export async function isTrustedMember(tx: Tx, memberId: number): Promise<boolean> {
  const member = await findMember(tx, memberId);
  if (member === undefined) return false;
  const unproved = await selectUnprovedIdentifiers(tx, memberId);
  return addressChannels.some(
    (channel) =>
      member[channel] !== null &&
      !unproved.some((one) => one.channel === channel && one.address === member[channel]),
  );
}
