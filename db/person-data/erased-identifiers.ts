import { createHash } from 'node:crypto';
import { queryInIndexOrder } from '../lib/index-order.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { ErasedIdentifierModel } from './models/erased-identifier.js';

/** What a person is known by: an email address, a phone number, or an external id. */
function digestOf(tx: Tx, identifier: string): Buffer {
  return createHash('sha256').update(`erased:${tx.workspaceId}:${identifier}`).digest();
}

export async function insertErasedIdentifiers(
  tx: Tx,
  { id, createdAt }: { id: number; createdAt: Date },
  identifiers: readonly string[],
): Promise<void> {
  const digests = identifiers.map((identifier) => digestOf(tx, identifier));
  await prepared(
    tx,
    `insert into erased_identifiers (workspace_id, erasure_id, digest, erased_at)
     select ?, ?, digest, ? from unnest(?::bytea[]) digest on conflict do nothing`,
    [tx.workspaceId, id, createdAt, digests],
  );
}

/** Returns those of the identifiers whose owner was erased after that time. */
export async function findErasedIdentifiers(
  tx: Tx,
  identifiers: readonly string[],
  erasedAfter: Date,
): Promise<Set<string>> {
  if (identifiers.length === 0) return new Set();
  const byDigest = new Map(
    identifiers.map((identifier) => [digestOf(tx, identifier).toString('hex'), identifier]),
  );
  const rows = await queryInIndexOrder<{ digest: string }>(tx, {
    // With a limit, each is looked up by itself; a join may read all identifiers of the workspace.
    text: `select given.digest from unnest(?::text[]) given (digest), lateral (
       select from erased_identifiers e where e.digest = decode(given.digest, 'hex') and e.erased_at > ? limit 1) found`,
    bindings: [[...byDigest.keys()], erasedAfter],
  });
  return new Set(rows.map(({ digest }) => byDigest.get(digest) ?? ''));
}

export async function removeErasedIdentifiers(tx: Tx, erasureId: number): Promise<void> {
  await ErasedIdentifierModel.deleteWhere(tx, 'erasure_id = ?', [erasureId]);
}
