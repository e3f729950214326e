import type { Tx } from './database.js';

/** Holds everybody else of this workspace off the same subject until the transaction ends. */
export async function lockSubject(tx: Tx, subject: string): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock(hashtextextended(?, ?))', [subject, tx.workspaceId]);
}
