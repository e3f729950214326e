import { executorOf } from './pool/query-builder.js';
import type { AnyTx } from './tx.js';

/**
 * Calls `report` once the outermost transaction has committed; never if it, or the savepoint in which this is called, is
 * rolled back.
 */
export function afterCommit(tx: AnyTx, report: () => void): void {
  const executor = executorOf(tx);
  if (executor.afterCommit === undefined) throw new Error('there is no transaction that could be committed');
  executor.afterCommit(report);
}
