import { Client, Connection } from '@temporalio/client';
import type { TemporalConfiguration } from '../configuration.js';

/** Creates a client that connects on first use, so that a process can boot and continue without Temporal. */
export function createTemporalClient({ namespace, ...server }: TemporalConfiguration): Client {
  return new Client({ connection: Connection.lazy({ ...server, connectTimeout: '5s' }), namespace });
}

const callsUnderWay = new WeakMap<Connection, Set<Promise<unknown>>>();

/**
 * Runs `calls` with a deadline for each call to Temporal; a signal that is aborted ends them, too. The SDK keeps deadlines
 * in an `AsyncLocalStorage`; from its first use on, Node tracks every promise of the process, so it is disabled while no
 * call is in progress.
 */
export async function withinDeadline<T>(
  client: Client,
  deadline: number,
  calls: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const connection = client.connection as Connection;
  const underWay = callsUnderWay.get(connection) ?? new Set();
  callsUnderWay.set(connection, underWay);
  const call = client.withDeadline(deadline, () =>
    signal === undefined ? calls() : client.withAbortSignal(signal, calls),
  );
  underWay.add(call);
  try {
    return await call;
  } finally {
    underWay.delete(call);
    if (underWay.size === 0) connection.callContextStorage.disable();
  }
}

/**
 * Closes a client's connection once all calls in progress have ended, including abandoned ones: the SDK retries a
 * failed call on a timer, which crashes the process if the connection is already closed. While Temporal is unavailable,
 * this takes as long as a connection attempt.
 */
export async function closeTemporalClient(client: Client): Promise<void> {
  const connection = client.connection as Connection;
  await Promise.allSettled(callsUnderWay.get(connection) ?? []);
  await connection.close();
}
