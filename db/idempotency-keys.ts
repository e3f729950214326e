import type { OuterTx, Tx } from './database.js';

/** The stored outcome of a request with an Idempotency-Key. */
export interface IdempotencyKeyRow {
  /** SHA-256 of the caller, the operation, its target and the key, none of which is stored itself. */
  digest: Buffer;
  operation: string;
  /** SHA-256 of the request. */
  fingerprint: Buffer;
  status: number;
  /** The body of the answer; null where it holds a secret, or described something that was deleted since. */
  answer: string | null;
  /** The id of the created resource, where it has a numeric one. */
  resourceId: number | null;
  /** The caller's permissions; null where an earlier release answered. */
  grants: readonly string[] | null;
  createdAt: Date;
}

/** Returns the table of the transaction's workspace, which is under its policy, or the table of accounts. */
function tableOf(tx: OuterTx): string {
  return tx.workspaceId === null ? 'identity.account_idempotency_keys' : 'idempotency_keys';
}

/**
 * Takes an advisory lock that keeps duplicates out until the transaction ends; false at once when another one holds it.
 */
export async function tryLockIdempotencyKey(tx: OuterTx, digest: Buffer): Promise<boolean> {
  const { rows } = await tx.raw('select pg_try_advisory_xact_lock(?::bigint) as locked', [
    String(digest.readBigInt64BE()),
  ]);
  return rows[0].locked;
}

export async function findIdempotencyKey(
  tx: OuterTx,
  digest: Buffer,
): Promise<IdempotencyKeyRow | undefined> {
  return tx(tableOf(tx))
    .select('digest', 'operation', 'fingerprint', 'status', 'answer', 'grants', {
      resourceId: 'resource_id',
      createdAt: 'created_at',
    })
    .where({ digest })
    .first();
}

export async function insertIdempotencyKey(tx: OuterTx, row: IdempotencyKeyRow): Promise<void> {
  const { resourceId, createdAt, ...columns } = row;
  await tx(tableOf(tx)).insert({
    ...columns,
    resource_id: resourceId,
    created_at: createdAt,
    ...(tx.workspaceId === null ? {} : { workspace_id: tx.workspaceId }),
  });
}

export async function deleteIdempotencyKey(tx: OuterTx, digest: Buffer): Promise<void> {
  await tx(tableOf(tx)).where({ digest }).delete();
}

/**
 * Clears the stored answers about a resource that is about to be deleted. The keys stay, so repeated requests are
 * detected.
 */
export async function emptyAnswers(tx: Tx, operations: readonly string[], resourceId: number): Promise<void> {
  await tx(tableOf(tx))
    .whereIn('operation', [...operations])
    .where({ resource_id: resourceId })
    .update({ answer: null });
}

/** Deletes up to `limit` keys that were created at `until` or before; returns how many. */
export async function deleteIdempotencyKeysUntil(tx: OuterTx, until: Date, limit: number): Promise<number> {
  const old = tx(tableOf(tx)).select('id').where('created_at', '<=', until).limit(limit);
  return tx(tableOf(tx)).whereIn('id', old).delete();
}
