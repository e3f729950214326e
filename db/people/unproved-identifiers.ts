import type { LoginChannel } from '../identity/models/login-code.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { UnprovedIdentifierModel, type UnprovedIdentifierRow } from './models/unproved-identifier.js';

export type { UnprovedIdentifierRow } from './models/unproved-identifier.js';

export interface MemberAddress {
  memberId: number;
  channel: LoginChannel;
  address: string;
}

/** Lists the unproved addresses of a member that forms gave. */
export async function selectUnprovedIdentifiers(tx: Tx, memberId: number): Promise<UnprovedIdentifierRow[]> {
  return UnprovedIdentifierModel.where(tx, 'member_id = ? order by channel, id', [memberId]);
}

/** Whether an address of a member came from a form, and is unproved. */
export async function isUnprovedIdentifier(
  tx: Tx,
  { memberId, channel, address }: MemberAddress,
): Promise<boolean> {
  const condition = 'member_id = ? and channel = ? and address = ?';
  return UnprovedIdentifierModel.exists(tx, condition, [memberId, channel, address]);
}

/** Lists the addresses of members that are barred, each with its member. */
export async function selectBarredIdentifiers(
  tx: Tx,
  memberIds: readonly number[],
): Promise<UnprovedIdentifierRow[]> {
  if (memberIds.length === 0) return [];
  const condition = 'member_id = any(?) and barred_at is not null';
  return UnprovedIdentifierModel.where(tx, condition, [memberIds]);
}

/** Whether an address of a member is barred: nobody who uses it is the member by that. */
export async function isBarredIdentifier(tx: Tx, address: MemberAddress): Promise<boolean> {
  const barred = await selectBarredIdentifiers(tx, [address.memberId]);
  return barred.some((one) => one.channel === address.channel && one.address === address.address);
}

/** The oldest member that has no identifier in its row, and from whose number, which is unproved, somebody has called. */
export async function findNamelessCaller(tx: Tx, phone: string): Promise<number | undefined> {
  const [found] = await prepared<{ id: number }>(
    tx,
    `select m.id from unproved_identifiers u join members m on m.id = u.member_id
     where u.address = ? and u.channel = 'phone' and m.deleted_at is null and m.kind = 'human'
       and m.email is null and m.phone is null and m.external_id is null and u.disputed_at is null
       and u.created_at = m.created_at
     order by m.id limit 1`,
    [phone],
  );
  return found?.id;
}

/** Bars addresses. One that is barred already stays as it is. */
export async function barIdentifiers(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await prepared(tx, 'update unproved_identifiers set barred_at = coalesce(barred_at, ?) where id = any(?)', [
    now,
    ids,
  ]);
}

export async function disputeIdentifiers(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  await barIdentifiers(tx, ids, now);
  if (ids.length === 0) return;
  await UnprovedIdentifierModel.updateWhere(tx, { disputedAt: now }, 'id = any(?)', [ids]);
}

/** Records that these addresses are unproved. An address that is recorded already stays as it is. */
export async function insertUnprovedIdentifiers(
  tx: Tx,
  addresses: readonly MemberAddress[],
  now: Date,
): Promise<void> {
  if (addresses.length === 0) return;
  await prepared(
    tx,
    `insert into unproved_identifiers (workspace_id, created_at, member_id, channel, address)
     select ?::bigint, ?::timestamptz, * from unnest(?::bigint[], ?::text[], ?::text[])
     on conflict do nothing`,
    [
      tx.workspaceId,
      now,
      addresses.map(({ memberId }) => memberId),
      addresses.map(({ channel }) => channel),
      addresses.map(({ address }) => address),
    ],
  );
}

export async function removeUnprovedIdentifiers(
  tx: Tx,
  noted: readonly Pick<MemberAddress, 'memberId' | 'channel'>[],
): Promise<void> {
  if (noted.length === 0) return;
  await UnprovedIdentifierModel.deleteWhere(
    tx,
    '(member_id, channel) in (select * from unnest(?::bigint[], ?::text[]))',
    [noted.map(({ memberId }) => memberId), noted.map(({ channel }) => channel)],
  );
}

export async function removeUnprovedIdentifiersById(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await UnprovedIdentifierModel.deleteWhere(tx, 'id = any(?)', [ids]);
}
