import type { LoginChannel } from '../../../db/identity/models/login-code.js';
import { lockMember, type MemberRow } from '../../../db/people/members.js';
import {
  barIdentifiers,
  disputeIdentifiers,
  insertUnprovedIdentifiers,
  type MemberAddress,
  removeUnprovedIdentifiers,
  removeUnprovedIdentifiersById,
  selectUnprovedIdentifiers,
  type UnprovedIdentifierRow,
} from '../../../db/people/unproved-identifiers.js';
import { recordVouched } from '../../../db/people/vouched-members.js';
import type { Tx } from '../../../db/tx.js';
import { changeMembers } from './change-member.js';
import type { MemberChanges } from './member-attributes.js';

/*
 * An address from a sign-up form is unproved (docs/decisions/0060-identifiers-are-bound-by-proof.md). In the member's row
 * it is *open*, so that its first proof makes a person the member, until another proof or another form *bars* it. A barred
 * address stays in the row. One that a form gives to a member whose row has none or another is *pending*.
 */

export const addressChannels = ['email', 'phone'] as const satisfies readonly LoginChannel[];

type Addresses = Readonly<Record<LoginChannel, string | null>>;
type Unproved = Pick<UnprovedIdentifierRow, 'channel' | 'address'>;

function openOf(member: Addresses, unproved: readonly UnprovedIdentifierRow[]): UnprovedIdentifierRow[] {
  return unproved.filter((one) => one.barredAt === null && member[one.channel] === one.address);
}

const idsOf = (rows: readonly UnprovedIdentifierRow[]) => rows.map(({ id }) => id);

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
      one.disputedAt === null &&
      pending.some(({ channel, address }) => one.channel === channel && one.address !== address),
  );
  await removeUnprovedIdentifiersById(tx, idsOf(replaced));
  await insertUnprovedIdentifiers(tx, pending, now);
}

/**
 * Binds a member to the addresses that a person has used: these become proved, other open ones are barred. @returns
 * whether the member had open addresses, so that nobody was the member before
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
  const open = openOf(member, await selectUnprovedIdentifiers(tx, memberId));
  const isUsed = ({ channel, address }: Unproved) => used[channel] === address;
  await barIdentifiers(tx, idsOf(open.filter((one) => !isUsed(one))), now);
  await removeUnprovedIdentifiersById(tx, idsOf(open.filter(isUsed)));
  return open.length > 0;
}

/**
 * Makes the unproved addresses of a member its own that its account has proved, unless another member has them.
 */
export async function adoptProved(
  tx: Tx,
  { now }: { now: Date },
  memberId: number,
  proved: Addresses,
): Promise<void> {
  const known = await selectUnprovedIdentifiers(tx, memberId);
  for (const { id, channel, address } of known.filter((one) => proved[one.channel] === one.address)) {
    const adopted = await changeAddress(tx, now, memberId, [channel, address]);
    if (adopted) await removeUnprovedIdentifiersById(tx, [id]);
  }
}

/** Bars the open addresses that a form does not name. @returns whether the locked member had any */
export async function barUnnamed(
  tx: Tx,
  { now }: { now: Date },
  member: MemberRow,
  named: MemberChanges,
): Promise<boolean> {
  const open = openOf(member, await selectUnprovedIdentifiers(tx, member.id));
  const unnamed = open.filter(({ channel, address }) => named[channel] !== address);
  await barIdentifiers(tx, idsOf(unnamed), now);
  return open.length > 0;
}

/**
 * Takes an unproved address from the row of a member, because it is somebody else's who has proved it, or has entered data
 * under it. It stays known as disputed.
 */
export async function disputeAddress(
  tx: Tx,
  { now }: { now: Date },
  { memberId, channel, address }: MemberAddress,
): Promise<void> {
  const member = await lockMember(tx, memberId);
  if (member?.[channel] !== address) return;
  const unproved = await selectUnprovedIdentifiers(tx, memberId);
  const noted = unproved.filter((one) => one.channel === channel && one.address === address);
  if (noted.length === 0) return;
  await changeAddress(tx, now, memberId, [channel, null]);
  await disputeIdentifiers(tx, idsOf(noted), now);
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
  await recordVouched(tx, addresses);
}

async function changeAddress(
  tx: Tx,
  now: Date,
  id: number,
  [channel, address]: readonly [LoginChannel, string | null],
): Promise<boolean> {
  const [changed] = await changeMembers(tx, { now }, [{ member: { id }, changes: { [channel]: address } }]);
  return changed?.status !== 'taken';
}
