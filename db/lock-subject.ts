import { prepared } from './statement.js';
import type { Tx } from './tx.js';

/** Takes an advisory lock on a subject of this workspace until the transaction ends. */
export async function lockSubject(tx: Tx, subject: string): Promise<void> {
  await take(tx, 'pg_advisory_xact_lock', subject);
}

/** `lockSubject` in the mode that other sharers do not exclude. */
export async function shareSubject(tx: Tx, subject: string): Promise<void> {
  await take(tx, 'pg_advisory_xact_lock_shared', subject);
}

/** `shareSubject` that never waits. @returns whether the lock was taken */
export async function tryShareSubject(tx: Tx, subject: string): Promise<boolean> {
  return (await take(tx, 'pg_try_advisory_xact_lock_shared', subject)) === true;
}

async function take(tx: Tx, lock: string, subject: string): Promise<unknown> {
  const text = `select ${lock}(hashtextextended(?, ?)) as taken`;
  const [row] = await prepared<{ taken: unknown }>(tx, text, [subject, tx.workspaceId]);
  return row?.taken;
}
