import { executorOf } from './pool/query-builder.js';
import type { AnyTx } from './tx.js';

/** Calls `tell` once the outermost transaction has committed; never if it, or the savepoint of `tx`, is rolled back. */
export function afterCommit(tx: AnyTx, tell: () => void): void {
  const executor = executorOf(tx);
  if (executor.afterCommit === undefined) throw new Error('there is no transaction that could be committed');
  executor.afterCommit(tell);
}
