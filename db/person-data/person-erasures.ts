import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { PersonErasureModel, type PersonErasureRow } from './models/person-erasure.js';

export type { ErasurePlace, PersonErasureRow } from './models/person-erasure.js';

export async function insertPersonErasure(
  tx: Tx,
  erasure: Pick<PersonErasureRow, 'memberId' | 'requestedByMemberId' | 'accountId' | 'createdAt'>,
): Promise<PersonErasureRow> {
  return PersonErasureModel.insert(tx, erasure);
}

export async function findPersonErasure(tx: Tx, id: number): Promise<PersonErasureRow | undefined> {
  return PersonErasureModel.find(tx, id);
}

export async function findErasureOfMember(tx: Tx, memberId: number): Promise<PersonErasureRow | undefined> {
  return PersonErasureModel.first(tx, 'member_id = ?', [memberId]);
}

export async function patchPersonErasure(
  tx: Tx,
  id: number,
  changes: Partial<
    Pick<PersonErasureRow, 'counts' | 'place' | 'reopenedAt' | 'erasedAt' | 'lookAgainAt' | 'finishedAt'>
  >,
): Promise<PersonErasureRow> {
  return PersonErasureModel.patch(tx, id, changes);
}

/** Adds to the numbers of erased rows. */
export async function addErasedRows(tx: Tx, id: number, table: string, count: number): Promise<void> {
  await prepared(
    tx,
    `update person_erasures set counts = jsonb_set(counts, array[?::text],
       to_jsonb(coalesce((counts ->> ?::text)::bigint, 0) + ?::bigint)) where id = ?`,
    [table, table, count, id],
  );
}

/** Begins a finished erasure anew. */
export async function reopenPersonErasure(tx: Tx, id: number, reopenedAt: Date): Promise<PersonErasureRow> {
  return PersonErasureModel.patch(
    tx,
    id,
    { reopenedAt, place: null, erasedAt: null, lookAgainAt: null, finishedAt: null },
    'begun_in = pg_current_xact_id()::text::bigint',
  );
}

/** Whether a transaction that is older than the erasure may still write. */
export async function mayOlderWrite(tx: Tx, begunIn: number): Promise<boolean> {
  const [found] = await prepared<{ isOpen: boolean }>(
    tx,
    'select pg_snapshot_xmin(pg_current_snapshot())::text::bigint <= ?::bigint as "isOpen"',
    [begunIn],
  );
  return found?.isOpen ?? true;
}

export async function selectOpenErasures(tx: Tx, after: number, limit: number): Promise<PersonErasureRow[]> {
  return PersonErasureModel.where(tx, 'finished_at is null and id > ? order by id limit ?', [after, limit]);
}

/**
 * The account of a member, if no other workspace uses it and it is no superuser's: it is erased with the member.
 */
export async function findAccountOfOnly(tx: Tx, memberId: number): Promise<number | null> {
  const [found] = await prepared<{ accountId: number }>(
    tx,
    `select m.account_id as "accountId" from identity.memberships m
     join identity.accounts a on a.id = m.account_id
     where m.workspace_id = ? and m.member_id = ? and not a.is_superuser and not exists (
       select from identity.memberships o where o.account_id = m.account_id and o.workspace_id <> m.workspace_id)`,
    [tx.workspaceId, memberId],
  );
  return found?.accountId ?? null;
}

/** Whether an account has joined a workspace since. */
export async function isAccountUsed(tx: Tx, accountId: number): Promise<boolean> {
  const found = await prepared(tx, 'select 1 from identity.memberships where account_id = ? limit 1', [
    accountId,
  ]);
  return found.length > 0;
}
