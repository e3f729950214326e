import type { AnyTx } from './database.js';
import { executorOf } from './pool/query-builder.js';

const counts = new WeakMap<AnyTx, number>();

/**
 * Runs a part of a transaction that can be undone alone: where it fails, all that it did is undone, locks included, and
 * the transaction may go on. Its beginning is sent with its first statement, and its end is nothing: one that nobody
 * goes back to costs less than releasing it does.
 *
 * @throws whatever `work` throws
 */
export async function withSavepoint<T>(tx: AnyTx, work: () => Promise<T>): Promise<T> {
  const asking = executorOf(tx);
  const count = (counts.get(tx) ?? 0) + 1;
  counts.set(tx, count);
  const begun = asking.execute({ text: `savepoint undoable_${count}`, values: [] });
  // It is awaited later; by then it may have failed for a while.
  begun.catch(() => {});
  try {
    const value = await work();
    await begun;
    return value;
  } catch (error) {
    // Where that fails, so does the transaction, at its commit at the latest.
    await asking
      .execute({ text: `rollback to savepoint undoable_${count}`, values: [], first: true })
      .catch(() => {});
    throw error;
  }
}
