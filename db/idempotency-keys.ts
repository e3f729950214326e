import {
  AccountIdempotencyKeyModel,
  IdempotencyKeyModel,
  type IdempotencyKeyRow,
} from './identity/models/idempotency-key.js';
import { prepared } from './statement.js';
import type { OuterTx, Tx } from './tx.js';

/** The table of the transaction's workspace, which is under its policy, or that of accounts: they are asked alike. */
function tableOf(tx: OuterTx): typeof AccountIdempotencyKeyModel {
  if (tx.workspaceId === null) return AccountIdempotencyKeyModel;
  return IdempotencyKeyModel as unknown as typeof AccountIdempotencyKeyModel;
}

/** Keeps duplicates out until the transaction ends; false at once when another one holds the lock. */
export async function tryLockIdempotencyKey(tx: OuterTx, digest: Buffer): Promise<boolean> {
  const text = 'select pg_try_advisory_xact_lock(?::bigint) as locked';
  const [row] = await prepared<{ locked: boolean }>(tx, text, [String(digest.readBigInt64BE())]);
  return row?.locked === true;
}

export async function findIdempotencyKey(
  tx: OuterTx,
  digest: Buffer,
): Promise<IdempotencyKeyRow | undefined> {
  return tableOf(tx).first(tx, 'digest = ?', [digest]);
}

export async function insertIdempotencyKey(tx: OuterTx, row: IdempotencyKeyRow): Promise<void> {
  await tableOf(tx).insert(tx, row);
}

export async function removeIdempotencyKey(tx: OuterTx, digest: Buffer): Promise<void> {
  await tableOf(tx).deleteWhere(tx, 'digest = ?', [digest]);
}

/** Clears the stored answers about a resource that is deleted. The keys stay, so repeated requests are detected. */
export async function emptyAnswers(tx: Tx, operations: readonly string[], resourceId: number): Promise<void> {
  const isAbout = 'operation = any(?) and resource_id = ?';
  await IdempotencyKeyModel.updateWhere(tx, { answer: null }, isAbout, [operations, resourceId]);
}

/** Deletes up to `limit` keys that were created until then; returns how many. */
export async function removeIdempotencyKeysUntil(tx: OuterTx, until: Date, limit: number): Promise<number> {
  const { tableName } = tableOf(tx);
  const old = `select id from ${tableName} where created_at <= ? limit ?`;
  return tableOf(tx).deleteWhere(tx, `id in (${old})`, [until, limit]);
}
