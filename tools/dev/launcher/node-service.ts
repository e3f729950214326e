import { join } from 'node:path';
import type { ManagedProcess, ProcessTable } from '../provision/processes.js';
import { ProvisioningError } from '../provision/provisioning-error.js';

export interface NodeServiceOptions {
  processes: ProcessTable;
  name: string;
  script: string;
  env: NodeJS.ProcessEnv;
  healthUrl: string;
  nodeArgs: readonly string[];
  dataFolder: string;
}

/**
 * Starts one of the service's Node.js processes and waits until it is ready.
 * @throws ProvisioningError with the last lines of its log
 */
export async function startNodeService(options: NodeServiceOptions): Promise<ManagedProcess> {
  const { processes, name, script, env, healthUrl, nodeArgs, dataFolder } = options;
  // It would pass for the process, which cannot listen there.
  if (await answersOk(healthUrl).catch(() => false)) {
    throw new ProvisioningError(`${name} was not started: another program answers at ${healthUrl}.`);
  }
  const running = await processes.start({
    name,
    command: process.execPath,
    args: ['--enable-source-maps', ...nodeArgs, script],
    env,
    logFile: join(dataFolder, `logs/${name}.log`),
    pidFile: join(dataFolder, `${name}.pid`),
  });
  if (await running.reaches(() => answersOk(healthUrl), { withinMs: 90_000, everyMs: 100 })) return running;
  const output = running.lastLines();
  await running.kill();
  throw new ProvisioningError(
    `${name} did not become ready${output === '' ? '' : `: ${output}`} (log: ${running.logFile}).`,
  );
}

async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await response.body?.cancel();
  return response.status === 200;
}
