import { join } from 'node:path';
import type { ManagedProcess, ProcessTable } from '../provision/processes.js';
import { ProvisioningError } from '../provision/provisioning-error.js';

export interface NodeServiceOptions {
  processes: ProcessTable;
  name: string;
  script: string;
  args?: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Each answers 200 once it is ready. */
  healthUrls: readonly string[];
  nodeArgs: readonly string[];
  dataFolder: string;
}

/**
 * Starts one of the service's Node.js processes and waits until it is ready.
 * @throws ProvisioningError with the last lines of its log
 */
export async function startNodeService(options: NodeServiceOptions): Promise<ManagedProcess> {
  const { processes, name, script, args = [], env, healthUrls, nodeArgs, dataFolder } = options;
  // It would pass for the process, which cannot listen there.
  for (const url of healthUrls) {
    if (!(await answersOk(url).catch(() => false))) continue;
    throw new ProvisioningError(`${name} was not started: another program answers at ${url}.`);
  }
  const running = await processes.start({
    name,
    command: process.execPath,
    args: ['--enable-source-maps', ...nodeArgs, script, ...args],
    env,
    logFile: join(dataFolder, `logs/${name}.log`),
    pidFile: join(dataFolder, `${name}.pid`),
  });
  const isReady = async () => (await Promise.all(healthUrls.map(answersOk))).every(Boolean);
  if (await running.reaches(isReady, { withinMs: 90_000, everyMs: 100 })) return running;
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
