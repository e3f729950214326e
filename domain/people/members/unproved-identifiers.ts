import type { Tx } from '../../../db/database.js';
import type { LoginChannel } from '../../../db/identity/login-codes.js';
import { lockMember, type MemberRow } from '../../../db/people/members.js';
import {
  insertUnprovedIdentifiers,
  type MemberAddress,
  removeUnprovedIdentifiers,
  removeUnprovedIdentifiersById,
  selectUnprovedIdentifiers,
  type UnprovedIdentifierRow,
} from '../../../db/people/unproved-identifiers.js';
import { noteVouched } from '../../../db/people/vouched-members.js';
import { changeMembers } from './change-member.js';
import type { MemberChanges } from './member-attributes.js';

/*
 * An address from a sign-up form is unproved (docs/decisions/0060-identifiers-are-bound-by-proof.md): *in use* while
 * the member's row contains it, else *pending*. Only a member without a proved owner has unproved addresses in use: the
 * first proof of one makes the others pending.
 */

export const addressChannels = ['email', 'phone'] as const satisfies readonly LoginChannel[];

type Addresses = Readonly<Record<LoginChannel, string | null>>;
type Unproved = Pick<UnprovedIdentifierRow, 'channel' | 'address'>;

export function unprovedInUse<Row extends Unproved>(member: Addresses, unproved: readonly Row[]): Row[] {
  return unproved.filter(({ channel, address }) => member[channel] === address);
}

/** Stores new addresses of a form as pending, the latest of each channel. The member is locked. */
export async function keepPending(
  tx: Tx,
  { now }: { now: Date },
  member: Pick<MemberRow, 'id' | 'email' | 'phone'>,
  given: MemberChanges,
): Promise<void> {
  const pending = addressChannels.flatMap((channel): MemberAddress[] => {
    const address = given[channel];
    const isNew = address != null && address !== member[channel];
    return isNew ? [{ memberId: member.id, channel, address }] : [];
  });
  if (pending.length === 0) return;
  const known = await selectUnprovedIdentifiers(tx, member.id);
  const replaced = known.filter(
    (one) =>
      member[one.channel] !== one.address &&
      pending.some(({ channel, address }) => one.channel === channel && one.address !== address),
  );
  await removeUnprovedIdentifiersById(
    tx,
    replaced.map(({ id }) => id),
  );
  await insertUnprovedIdentifiers(tx, pending, now);
}

/**
 * Binds a member to the addresses that a person has used: these become proved, other unproved ones in use become
 * pending. @returns whether the member had unproved addresses in use
 */
export async function bindIdentifiers(
  tx: Tx,
  { now }: { now: Date },
  memberId: number,
  used: Addresses,
): Promise<boolean> {
  if ((await selectUnprovedIdentifiers(tx, memberId)).length === 0) return false;
  const member = await lockMember(tx, memberId);
  if (member === undefined) return false;
  const inUse = unprovedInUse(member, await selectUnprovedIdentifiers(tx, memberId));
  const isUsed = ({ channel, address }: Unproved) => used[channel] === address;
  const detached = inUse.filter((one) => !isUsed(one));
  await changeAddresses(
    tx,
    now,
    member,
    detached.map(({ channel }) => [channel, null]),
  );
  await removeUnprovedIdentifiersById(
    tx,
    inUse.filter(isUsed).map(({ id }) => id),
  );
  return inUse.length > 0;
}

/** Moves pending addresses that the account has proved into the member's row, unless another member has them. */
export async function adoptProved(
  tx: Tx,
  { now }: { now: Date },
  memberId: number,
  proved: Addresses,
): Promise<void> {
  const known = await selectUnprovedIdentifiers(tx, memberId);
  for (const { id, channel, address } of known.filter((one) => proved[one.channel] === one.address)) {
    const adopted = await changeAddresses(tx, now, { id: memberId }, [[channel, address]]);
    if (adopted) await removeUnprovedIdentifiersById(tx, [id]);
  }
}

/** Makes unproved addresses in use pending that a form does not name. @returns whether the locked member had any */
export async function detachUnnamed(
  tx: Tx,
  { now }: { now: Date },
  member: MemberRow,
  named: MemberChanges,
): Promise<boolean> {
  const inUse = unprovedInUse(member, await selectUnprovedIdentifiers(tx, member.id));
  const unnamed = inUse.filter(({ channel, address }) => named[channel] !== address);
  await changeAddresses(
    tx,
    now,
    member,
    unnamed.map(({ channel }) => [channel, null]),
  );
  return inUse.length > 0;
}

/** What `members:write` writes is vouched for by the workspace, so nothing of these channels stays unproved. */
export async function vouchForAddresses(
  tx: Tx,
  written: readonly { memberId: number; changes: MemberChanges }[],
): Promise<void> {
  const addresses = written.flatMap(({ memberId, changes }) =>
    addressChannels
      .filter((channel) => changes[channel] !== undefined)
      .map((channel) => ({ memberId, channel, isGiven: changes[channel] !== null })),
  );
  await removeUnprovedIdentifiers(tx, addresses);
  await noteVouched(tx, addresses);
}

async function changeAddresses(
  tx: Tx,
  now: Date,
  member: Pick<MemberRow, 'id'>,
  addresses: readonly (readonly [LoginChannel, string | null])[],
): Promise<boolean> {
  if (addresses.length === 0) return true;
  const [changed] = await changeMembers(tx, { now }, [{ member, changes: Object.fromEntries(addresses) }]);
  return changed?.status !== 'taken';
}
