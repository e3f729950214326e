import { searchAttributeNames } from '../runtime/temporal/search-attributes.js';
import { ProvisioningError } from './provision/provisioning-error.js';
import { isServing, prepareNamespace } from './provision/temporal-namespace.js';
import { waitUntil } from './provision/wait-until.js';

// Run once beside a Temporal server that is not ours to start (docker-compose.yml): waits for it, then gives
// its namespace our search attributes and retention.
const text = (name: string): string | undefined => process.env[name]?.trim() || undefined;
const apiKey = text('TEMPORAL_API_KEY');
const at = {
  address: text('TEMPORAL_ADDRESS') ?? '127.0.0.1:7233',
  namespace: text('TEMPORAL_NAMESPACE') ?? 'default',
  tls: text('TEMPORAL_TLS') === 'true' || apiKey !== undefined,
  ...(apiKey === undefined ? {} : { apiKey }),
};

try {
  console.log(`Waiting for namespace ${at.namespace} at ${at.address}.`);
  if (!(await waitUntil(() => isServing(at), { withinMs: 180_000, everyMs: 1_000 }))) {
    throw new ProvisioningError(`Temporal at ${at.address} does not answer for namespace ${at.namespace}.`);
  }
  await prepareNamespace(at);
  console.log(`Namespace ${at.namespace} has ${searchAttributeNames.join(', ')}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
