import { executorOf } from './pool/query-builder.js';
import type { AnyTx } from './tx.js';

const counts = new WeakMap<AnyTx, number>();

/**
 * Runs a part of a transaction in a savepoint: if it fails, everything it did is rolled back, locks included, and the
 * transaction may continue. The savepoint is sent with the first statement of `work`. It is never released, because
 * that would cost more than keeping it.
 * @throws whatever `work` throws
 */
export async function withSavepoint<T>(tx: AnyTx, work: () => Promise<T>): Promise<T> {
  const executor = executorOf(tx);
  const dropReports = executor.markReports?.();
  const count = (counts.get(tx) ?? 0) + 1;
  counts.set(tx, count);
  const begun = executor.execute({ text: `savepoint undoable_${count}`, values: [] });
  // Awaited later; without this handler, a rejection in the meantime would be unhandled.
  begun.catch(() => {});
  try {
    const value = await work();
    await begun;
    return value;
  } catch (error) {
    dropReports?.();
    // If the rollback fails, so does the transaction, at its commit at the latest.
    await executor
      .execute({ text: `rollback to savepoint undoable_${count}`, values: [], first: true })
      .catch(() => {});
    throw error;
  }
}
