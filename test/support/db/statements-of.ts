import { vi } from 'vitest';
import { PipelinedConnection } from '../../../db/pool/pipelined-connection.js';

/** The texts of the statements that this process executes during `work`, of all databases, in order. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const asking = vi.spyOn(PipelinedConnection.prototype, 'execute');
  try {
    await work();
    return asking.mock.calls.map(([{ text }]) => text);
  } finally {
    asking.mockRestore();
  }
}
