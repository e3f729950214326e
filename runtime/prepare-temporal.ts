import { ConfigurationError, readTemporalConfiguration } from './configuration.js';
import { isServing, prepareNamespace } from './temporal/namespace.js';
import { searchAttributeNames } from './temporal/run-options.js';
import { waitUntil } from './wait-until.js';

// Run once against an external Temporal server (docker-compose.yml): waits for it, then creates the search attributes
// of its namespace and sets the retention.
const at = readTemporalConfiguration();

try {
  process.stdout.write(`Waiting for namespace ${at.namespace} at ${at.address}.\n`);
  if (!(await waitUntil(() => isServing(at), { withinMs: 180_000, everyMs: 1_000 }))) {
    throw new ConfigurationError(`Temporal at ${at.address} does not answer for namespace ${at.namespace}.`);
  }
  await prepareNamespace(at);
  process.stdout.write(`Namespace ${at.namespace} has ${searchAttributeNames.join(', ')}.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
