import { fileURLToPath } from 'node:url';
import { settleInOrder } from '../../../domain/lib/settle-in-order.js';
import { nodeArgs, workerEnvironment } from '../../../runtime/node-args.js';
import { refuseSamePorts, refuseTakenPort } from '../provision/ports.js';
import {
  clinicNumber,
  configureIdentityProvider,
  recordsHook,
  routeSimulatedNumber,
  setSinkSecret,
} from '../seed/configure-simulators.js';
import { type DevFile, writeDevFile } from './dev-file.js';
import {
  type Addresses,
  addressesOf,
  serviceEnvironment,
  simulatorEnvironment,
  simulatorsOf,
} from './environments.js';
import { type LocalSecrets, localSecrets } from './local-secrets.js';
import { usedPorts } from './local-settings.js';
import { type NodeServiceOptions, startNodeService } from './node-service.js';
import { prepareTemporal, provisionDatabase } from './provision-servers.js';
import type { SystemOptions } from './system-options.js';

/**
 * Starts the whole system: PostgreSQL, Temporal, simulators, worker, media and api, and creates the demo workspace.
 * @throws ProvisioningError
 */
export async function startSystem(options: SystemOptions) {
  const { settings, environment, progress } = options;
  const ports = usedPorts(settings);
  refuseSamePorts(ports);
  for (const port of ports) await refuseTakenPort(port);
  const secrets = localSecrets(settings.dataFolder);
  const addresses = addressesOf(settings);

  const env = serviceEnvironment(environment, settings, secrets);
  const startTemporal = await prepareTemporal(options);
  // What fails ends the start once the other has settled: the demo would be left half made.
  const [, dev] = await settleInOrder(startTemporal(), provisionDemo(options, secrets, env));
  const worker: ServiceDescription = {
    name: 'worker',
    script: '../../../runtime/main.js',
    env: { ...env, ...workerEnvironment },
    healthUrls: [`http://127.0.0.1:${settings.ports.worker.port}/health/ready`],
    nodeArgs: nodeArgs.worker,
  };
  const media: ServiceDescription = {
    name: 'media',
    script: '../../../media/main.js',
    env,
    healthUrls: [`http://127.0.0.1:${settings.ports.mediaHealth.port}/health/ready`],
    nodeArgs: nodeArgs.media,
  };
  const api: ServiceDescription = {
    name: 'api',
    script: '../../../api/main.js',
    env,
    healthUrls: [`${addresses.baseUrl}/api/v2/health/ready`],
    nodeArgs: nodeArgs.api,
  };
  const ours = [worker, media, api];
  await Promise.all(ours.map((own) => progress.step(own.name, () => runService(options, own))));
  // Who finds the file may call what it names.
  writeDevFile(settings.dataFolder, dev);
  const restart = async (service: ServiceDescription) => {
    options.supervisor.release(service.name);
    await options.processes.stop(service.name);
    await runService(options, service);
  };
  return {
    dev,
    /** Stops our processes and starts them again, with the code that is compiled now. */
    restart: async () => {
      await progress.step('worker, media and api, restarted', () => Promise.all(ours.map(restart)));
    },
  };
}

interface ServiceDescription extends Omit<NodeServiceOptions, 'processes' | 'dataFolder'> {
  /** Path relative to this compiled file. */
  script: string;
  /** What it forgets when it ends: called after each start. */
  configure?: () => Promise<void>;
}

function runService({ processes, supervisor, settings }: SystemOptions, service: ServiceDescription) {
  const script = fileURLToPath(new URL(service.script, import.meta.url));
  return supervisor.run({
    name: service.name,
    async start() {
      const running = await startNodeService({
        ...service,
        script,
        processes,
        dataFolder: settings.dataFolder,
      });
      try {
        await service.configure?.();
      } catch (error) {
        await running.kill();
        throw error;
      }
      return running;
    },
  });
}

/** Starts PostgreSQL and the simulators, and creates the demo workspace, which is served by the simulators. */
async function provisionDemo(
  options: SystemOptions,
  secrets: LocalSecrets,
  env: NodeJS.ProcessEnv,
): Promise<DevFile> {
  const { settings, progress } = options;
  const [, , { seedWorkspace }] = await settleInOrder(
    progress.step('PostgreSQL, roles and schema', () => provisionDatabase(options, secrets)),
    progress.step('Simulators', () => runSimulators(options, secrets, env)),
    // Most of the launcher is loaded while the servers start.
    import('./seed-workspace.js'),
  );
  return progress.step('Demo workspace', () => seedWorkspace(settings, secrets, env));
}

function runSimulators(options: SystemOptions, secrets: LocalSecrets, env: NodeJS.ProcessEnv): Promise<void> {
  const { settings, environment } = options;
  const simulators = simulatorsOf(settings);
  return runService(options, {
    name: 'simulators',
    script: '../../simulators/main.js',
    args: simulators.map(({ name }) => name),
    env: simulatorEnvironment(environment, settings, secrets),
    healthUrls: simulators.map(({ at }) => `${at}/health`),
    nodeArgs: [],
    configure: () => configureSimulators(addressesOf(settings), secrets, env),
  });
}

async function configureSimulators(
  addresses: Addresses,
  secrets: LocalSecrets,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await configureIdentityProvider(addresses.identityProvider, env.PUBLIC_URL ?? addresses.baseUrl);
  await setSinkSecret(addresses.webhookSink, recordsHook, secrets.webhook);
  if (addresses.carrierSimulator === null) return;
  for (const number of [clinicNumber, env.LOGIN_SMS_FROM]) {
    // An alphanumeric sender cannot receive messages.
    if (!number?.startsWith('+')) continue;
    await routeSimulatedNumber(addresses.carrierSimulator, number, addresses.baseUrl);
  }
}
