import type { Tx } from '../database.js';
import type { LoginChannel } from '../identity/login-codes.js';
import { selectRow, selectRows } from '../lib/rows.js';
import { prepared } from '../statement.js';
import { UnprovedIdentifierModel, type UnprovedIdentifierRow } from './models/unproved-identifier.js';

export type { UnprovedIdentifierRow } from './models/unproved-identifier.js';

export interface MemberAddress {
  memberId: number;
  channel: LoginChannel;
  address: string;
}

/** Lists the unproved addresses of a member that forms gave. */
export async function selectUnprovedIdentifiers(tx: Tx, memberId: number): Promise<UnprovedIdentifierRow[]> {
  return selectRows(UnprovedIdentifierModel, tx, 'member_id = ? order by channel, id', [memberId]);
}

/** Whether an address of a member came from a form, and is unproved. */
export async function isUnprovedIdentifier(
  tx: Tx,
  { memberId, channel, address }: MemberAddress,
): Promise<boolean> {
  const condition = 'member_id = ? and channel = ? and address = ?';
  return (
    (await selectRow(UnprovedIdentifierModel, tx, condition, [memberId, channel, address])) !== undefined
  );
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
  await prepared(
    tx,
    `delete from unproved_identifiers
     where (member_id, channel) in (select * from unnest(?::bigint[], ?::text[]))`,
    [noted.map(({ memberId }) => memberId), noted.map(({ channel }) => channel)],
  );
}

export async function removeUnprovedIdentifiersById(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await prepared(tx, 'delete from unproved_identifiers where id = any(?)', [ids]);
}
