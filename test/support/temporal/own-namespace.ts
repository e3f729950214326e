import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { prepareNamespace, retention } from '../../../runtime/temporal/namespace.js';

/** Task queues have fixed names, and suites that share a server must not take each other's tasks. */
export async function createNamespace(address: string): Promise<string> {
  const namespace = await registerNamespace(address);
  await prepareNamespace({ address, namespace });
  return namespace;
}

/** A namespace without search attributes, as an operator creates it. */
export async function registerNamespace(address: string): Promise<string> {
  const namespace = `test-${randomUUID()}`;
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(retention),
    });
  } finally {
    await connection.close();
  }
  return namespace;
}
