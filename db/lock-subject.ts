import type { Tx } from './database.js';

/** Takes an advisory lock on a subject of this workspace until the transaction ends. */
export async function lockSubject(tx: Tx, subject: string): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock(hashtextextended(?, ?))', [subject, tx.workspaceId]);
}
