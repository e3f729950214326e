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

const callsUnderWay = new WeakMap<Connection, number>();

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
  callsUnderWay.set(connection, (callsUnderWay.get(connection) ?? 0) + 1);
  try {
    return await client.withDeadline(deadline, calls);
  } finally {
    const left = (callsUnderWay.get(connection) ?? 1) - 1;
    callsUnderWay.set(connection, left);
    if (left === 0) connection.callContextStorage.disable();
  }
}
