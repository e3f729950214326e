import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/**
 * Runs statements that `ask` executes at once with a time limit of their own. In a transaction that goes on after the
 * limit is reached, the call belongs into a savepoint. @throws an error that `isStatementCancelled` knows
 */
export async function withTimeLimit<T>(tx: Tx, milliseconds: number, ask: () => Promise<T>): Promise<T> {
  // All are sent in one message, which outside of a transaction is as long as a setting lasts.
  const limited = prepared(
    tx,
    `select set_config('app.statement_timeout', current_setting('statement_timeout'), true),
       set_config('statement_timeout', ?, true)`,
    [String(milliseconds)],
  );
  const asked = ask();
  const restored = prepared(
    tx,
    `select set_config('statement_timeout', current_setting('app.statement_timeout'), true)`,
    [],
  );
  const [, result] = await Promise.all([limited, asked, restored]);
  return result;
}
