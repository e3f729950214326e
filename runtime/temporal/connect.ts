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
