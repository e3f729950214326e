import type { OuterTx, Tx } from './database.js';

/** What was done under an Idempotency-Key. */
export interface IdempotencyKeyRow {
  /** SHA-256 of who called, where, and the key: neither is kept itself. */
  digest: Buffer;
  operation: string;
  /** SHA-256 of what was asked. */
  fingerprint: Buffer;
  status: number;
  /** The body that was answered; null where it holds a secret, or told of something that was deleted since. */
  answer: string | null;
  /** What was made, where it has a numeric id. */
  resourceId: number | null;
  /** What the caller was permitted; null where an earlier release answered. */
  grants: readonly string[] | null;
  createdAt: Date;
}

/** The transaction's own table: that of its workspace, under its policy, or the one of accounts. */
function tableOf(tx: OuterTx): string {
  return tx.workspaceId === null ? 'identity.account_idempotency_keys' : 'idempotency_keys';
}

/** Keeps doubles out until the transaction ends; false at once when one is in already. */
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

/** Lets go of what was answered about one thing, which is to be gone; that it was done stays known. */
export async function emptyAnswers(tx: Tx, operations: readonly string[], resourceId: number): Promise<void> {
  await tx(tableOf(tx))
    .whereIn('operation', [...operations])
    .where({ resource_id: resourceId })
    .update({ answer: null });
}

/** Deletes up to `limit` that were made at `until` or before; returns how many. */
export async function deleteIdempotencyKeysUntil(tx: OuterTx, until: Date, limit: number): Promise<number> {
  const old = tx(tableOf(tx)).select('id').where('created_at', '<=', until).limit(limit);
  return tx(tableOf(tx)).whereIn('id', old).delete();
}
