import type { OuterTx, Tx } from './tx.js';

export interface IdempotencyKeyRow {
  /** SHA-256 of caller, operation, target and key. */
  digest: Buffer;
  operation: string;
  fingerprint: Buffer;
  status: number;
  /** Null where it holds a secret, or described something that was deleted since. */
  answer: string | null;
  /** Of the created resource, where it has a numeric id. */
  resourceId: number | null;
  /** The caller's permissions; null where an earlier release answered. */
  grants: readonly string[] | null;
  createdAt: Date;
}

/** The table of the transaction's workspace, which is under its policy, or that of accounts. */
function tableOf(tx: OuterTx): string {
  return tx.workspaceId === null ? 'identity.account_idempotency_keys' : 'idempotency_keys';
}

/** Keeps duplicates out until the transaction ends; false at once when another one holds the lock. */
export async function tryLockIdempotencyKey(tx: OuterTx, digest: Buffer): Promise<boolean> {
  const key = String(digest.readBigInt64BE());
  const { rows } = await tx.raw('select pg_try_advisory_xact_lock(?::bigint) as locked', [key]);
  return rows[0].locked;
}

const columns = ['digest', 'operation', 'fingerprint', 'status', 'answer', 'grants'];

export async function findIdempotencyKey(
  tx: OuterTx,
  digest: Buffer,
): Promise<IdempotencyKeyRow | undefined> {
  const renamed = { resourceId: 'resource_id', createdAt: 'created_at' };
  return tx(tableOf(tx))
    .select(...columns, renamed)
    .where({ digest })
    .first();
}

export async function insertIdempotencyKey(tx: OuterTx, row: IdempotencyKeyRow): Promise<void> {
  const { resourceId, createdAt, ...same } = row;
  await tx(tableOf(tx)).insert({
    ...same,
    resource_id: resourceId,
    created_at: createdAt,
    ...(tx.workspaceId === null ? {} : { workspace_id: tx.workspaceId }),
  });
}

export async function removeIdempotencyKey(tx: OuterTx, digest: Buffer): Promise<void> {
  await tx(tableOf(tx)).where({ digest }).delete();
}

/** Clears the stored answers about a resource that is deleted. The keys stay, so repeated requests are detected. */
export async function emptyAnswers(tx: Tx, operations: readonly string[], resourceId: number): Promise<void> {
  await tx(tableOf(tx))
    .whereIn('operation', [...operations])
    .where({ resource_id: resourceId })
    .update({ answer: null });
}

/** Deletes up to `limit` keys that were created until then; returns how many. */
export async function removeIdempotencyKeysUntil(tx: OuterTx, until: Date, limit: number): Promise<number> {
  const old = tx(tableOf(tx)).select('id').where('created_at', '<=', until).limit(limit);
  return tx(tableOf(tx)).whereIn('id', old).delete();
}
