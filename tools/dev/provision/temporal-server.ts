import { chmodSync, existsSync } from 'node:fs';
import { searchAttributeNames } from '../../../runtime/temporal/run-options.js';
import type { ProcessTable } from './processes.js';
import { ProvisioningError } from './provisioning-error.js';

export interface TemporalOptions {
  processes: ProcessTable;
  /** The `temporal` program, from `findTemporal`. */
  program: string;
  port: number;
  /** Without it, the server has no UI. */
  uiPort?: number;
  /** Without it, the server keeps its data in memory. */
  databaseFile?: string;
  logFile: string;
  pidFile?: string;
  /** Additional dynamic configuration, `key=value`. */
  settings?: readonly string[];
}

/** Starts a Temporal dev server, waits until it is ready and sets up its namespace. @throws ProvisioningError */
export async function startTemporal(options: TemporalOptions) {
  const { program, port, uiPort, databaseFile } = options;
  const address = `127.0.0.1:${port}`;
  const settings = [...dynamicConfiguration, ...(options.settings ?? [])];
  // Earlier versions created the file readable by other users.
  if (databaseFile !== undefined && existsSync(databaseFile)) chmodSync(databaseFile, 0o600);
  const server = await options.processes.start({
    name: 'temporal',
    command: program,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'error'],
      ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
      ...(databaseFile === undefined ? [] : ['--db-filename', databaseFile]),
      // Effective at once on a new database. An existing one ignores them; prepareNamespace adds them there.
      ...searchAttributeNames.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
      ...settings.flatMap((setting) => ['--dynamic-config-value', setting]),
    ],
    logFile: options.logFile,
    ...(options.pidFile && { pidFile: options.pidFile }),
  });
  const namespace = { address, namespace: 'default' };
  try {
    // Loading the client takes half a second, in which the server starts.
    const { isServing, prepareNamespace } = await import('../../../runtime/temporal/namespace.js');
    if (!(await server.reaches(() => isServing(namespace), { withinMs: 60_000, everyMs: 100 }))) {
      throw new ProvisioningError(`Temporal did not start on ${address}: ${server.lastLines()}`);
    }
    await prepareNamespace(namespace);
  } catch (error) {
    await server.kill();
    throw error;
  }
  return { process: server, address };
}

/**
 * Switches on fairness between workspaces on a task queue (`priority.fairnessKey`), which is off by default in server
 * 1.29. Fairness is exact only with a single partition.
 */
const dynamicConfiguration = [
  'matching.useNewMatcher=true',
  'matching.enableFairness=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
];
