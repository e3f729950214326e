import { fileURLToPath } from 'node:url';
import { objectStore } from '../../../api/object-store.js';
import { Database } from '../../../db/database.js';
import type { FileStorage } from '../../../domain/files/objects/file-storage.js';
import { systemClock } from '../../../domain/lib/clock.js';
import { settleInOrder } from '../../../domain/lib/settle-in-order.js';
import { readConfiguration } from '../../../runtime/configuration.js';
import { createStorage } from '../../../runtime/create-storage.js';
import { nodeArgs } from '../../../runtime/node-args.js';
import { refuseSamePorts, refuseTakenPort } from '../provision/ports.js';
import {
  configureIdentityProvider,
  routeSimulatedNumber,
  setSinkSecret,
} from '../seed/configure-simulators.js';
import { recordsHook } from '../seed/seed-webhook-rule.js';
import { clinicNumber, seed } from '../seed.js';
import { type DevFile, readDevFile, writeDevFile } from './dev-file.js';
import {
  type Addresses,
  addressesOf,
  databaseUrl,
  serviceEnvironment,
  simulatorEnvironment,
  simulatorsOf,
} from './environments.js';
import { type LocalSecrets, localSecrets } from './local-secrets.js';
import { type LocalSettings, usedPorts } from './local-settings.js';
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
    env,
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
  await settleInOrder(
    progress.step('PostgreSQL, roles and schema', () => provisionDatabase(options, secrets)),
    progress.step('Simulators', () => runSimulators(options, secrets, env)),
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

async function seedWorkspace(
  settings: LocalSettings,
  secrets: LocalSecrets,
  env: NodeJS.ProcessEnv,
): Promise<DevFile> {
  const addresses = addressesOf(settings);
  const database = new Database({ url: databaseUrl('wes_app', settings, secrets) });
  try {
    const sink = { url: addresses.webhookSink, signingSecret: secrets.webhook };
    const kept = readDevFile(settings.dataFolder);
    const encryptionKey = env.ENCRYPTION_KEY ?? secrets.encryption;
    const storage = storageOf(env, database);
    const seeded = await seed({
      database,
      encryptionKey,
      storage,
      sink,
      issuer: addresses.identityProvider,
      mcpServer: addresses.mcpServer,
      kept,
    });
    return { ...addresses, ...seeded };
  } finally {
    await database.close();
  }
}

/** The storage of the api and the worker. */
function storageOf(env: NodeJS.ProcessEnv, database: Database): FileStorage {
  const { storage, policy } = readConfiguration(env);
  return {
    objects: objectStore(createStorage(storage, database), { clock: systemClock }),
    bytesPerWorkspace: policy.bytesPerWorkspace,
  };
}
