import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { TemporalConfiguration } from '../configuration.js';
import { searchAttributeNames } from './run-options.js';

export const retention = '30 days';

/** `temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD` */
const indexedValueTypeKeyword = 2;

type NamespaceAddress = Pick<TemporalConfiguration, 'address' | 'namespace'> & Partial<TemporalConfiguration>;

/** Whether the server responds and has the namespace. */
export async function isServing(at: NamespaceAddress): Promise<boolean> {
  return withConnection(at, async (connection) => {
    await connection.workflowService.describeNamespace({ namespace: at.namespace });
    return true;
  });
}

/**
 * Creates the missing search attributes of a namespace and sets its retention. A dev server ignores its
 * `--search-attribute` flags on an existing database, so missing attributes are created here.
 */
export async function prepareNamespace(at: NamespaceAddress): Promise<void> {
  const { namespace } = at;
  await withConnection(at, async ({ operatorService, workflowService }) => {
    const missing = await missingIn(operatorService, namespace);
    if (missing.length > 0) {
      await operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(missing.map((name) => [name, indexedValueTypeKeyword])),
      });
    }
    await workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: msToTs(retention) },
    });
  });
}

/** The search attributes that runs set and the namespace lacks; none if the server does not tell, as Temporal Cloud. */
export async function missingSearchAttributes(at: NamespaceAddress): Promise<string[]> {
  return withConnection(at, ({ operatorService }) => missingIn(operatorService, at.namespace)).catch(
    () => [],
  );
}

async function missingIn(service: Connection['operatorService'], namespace: string): Promise<string[]> {
  const { customAttributes } = await service.listSearchAttributes({ namespace });
  return searchAttributeNames.filter((name) => customAttributes[name] === undefined);
}

async function withConnection<T>(
  { address, tls = false, apiKey }: NamespaceAddress,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const key = apiKey === undefined ? {} : { apiKey };
  const connection = await Connection.connect({ address, tls, connectTimeout: '5s', ...key });
  try {
    return await connection.withDeadline(Date.now() + 15_000, () => work(connection));
  } finally {
    await connection.close();
  }
}
