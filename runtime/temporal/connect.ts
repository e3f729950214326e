import { Client, Connection } from '@temporalio/client';
import type { Configuration } from '../configuration.js';

type TemporalConfiguration = Configuration['temporal'];

/** A client that connects when it is first used: a process boots, and goes on, without Temporal. */
export function createTemporalClient(configuration: TemporalConfiguration): Client {
  const connection = Connection.lazy({
    address: configuration.address,
    tls: configuration.tls,
    connectTimeout: '5s',
    ...(configuration.apiKey === undefined ? {} : { apiKey: configuration.apiKey }),
  });
  return new Client({ connection, namespace: configuration.namespace });
}

const callsUnderWay = new WeakMap<Connection, Set<Promise<unknown>>>();

/**
 * Runs `calls` with a deadline for each call to Temporal in it. The SDK keeps deadlines in an `AsyncLocalStorage`, which
 * from its first use on has Node follow every promise of the process: it is switched off while no call is under way.
 */
export async function withinDeadline<T>(
  client: Client,
  deadline: number,
  calls: () => Promise<T>,
): Promise<T> {
  const connection = client.connection as Connection;
  const underWay = callsUnderWay.get(connection) ?? new Set();
  callsUnderWay.set(connection, underWay);
  const call = client.withDeadline(deadline, calls);
  underWay.add(call);
  try {
    return await call;
  } finally {
    underWay.delete(call);
    if (underWay.size === 0) connection.callContextStorage.disable();
  }
}

/**
 * Closes a client's connection once the calls under way have ended, those that nobody waits for any more included: the SDK
 * repeats a failed call by a timer, which ends the process when the connection is closed by then. While Temporal is away
 * that takes as long as connecting is tried.
 */
export async function closeTemporalClient(client: Client): Promise<void> {
  const connection = client.connection as Connection;
  await Promise.allSettled(callsUnderWay.get(connection) ?? []);
  await connection.close();
}
