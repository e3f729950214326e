import pg from 'pg';
import { vi } from 'vitest';

/**
 * The number of transactions that the connections of this process end during `work`, also those of single statements, except
 * those of the test's `own` connection.
 */
export async function commitsOf(work: () => Promise<unknown>, own?: pg.Client): Promise<number> {
  const emitting = vi.spyOn(pg.Connection.prototype, 'emit');
  const connection = (own as unknown as { connection: unknown } | undefined)?.connection;
  try {
    await work();
    const { calls, contexts } = emitting.mock;
    return calls.filter(([event, message], index) => {
      const isOwn = own !== undefined && contexts[index] === connection;
      // PostgreSQL says after each statement or batch whether a transaction is still open.
      return event === 'readyForQuery' && (message as { status: string }).status === 'I' && !isOwn;
    }).length;
  } finally {
    emitting.mockRestore();
  }
}
