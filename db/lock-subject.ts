import type { Tx } from './tx.js';

/** Takes an advisory lock on a subject of this workspace until the transaction ends. */
export async function lockSubject(tx: Tx, subject: string): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock(hashtextextended(?, ?))', [subject, tx.workspaceId]);
}

/** `lockSubject` in the mode that other sharers do not exclude. */
export async function shareSubject(tx: Tx, subject: string): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock_shared(hashtextextended(?, ?))', [subject, tx.workspaceId]);
}
