import { fileURLToPath } from 'node:url';
import { Database } from '../../../db/database.js';
import { nodeArgs } from '../../../runtime/node-args.js';
import { refuseTakenPort } from '../provision/ports.js';
import type { ProcessTable } from '../provision/processes.js';
import type { Progress } from '../provision/progress.js';
import { recordsHook } from '../seed/tell-of-records.js';
import { routeSimulatedNumber, tellSinkSecret } from '../seed/tell-simulators.js';
import { clinicNumber, seed } from '../seed.js';
import { type DevFile, readDevFile, writeDevFile } from './dev-file.js';
import {
  type Addresses,
  addressesOf,
  carrierEnvironment,
  mailEnvironment,
  modelEnvironment,
  serviceEnvironment,
  webhookSinkEnvironment,
} from './environments.js';
import { localSecrets } from './local-secrets.js';
import { type Environment, type LocalSettings, usedPorts } from './local-settings.js';
import { startNodeService } from './node-service.js';
import { provisionDatabase, provisionTemporal } from './provision-servers.js';
import type { Supervisor } from './supervisor.js';

export interface SystemOptions {
  settings: LocalSettings;
  environment: Environment;
  processes: ProcessTable;
  supervisor: Supervisor;
  progress: Progress;
  /** Prints a sentence on the terminal. */
  print: (sentence: string) => void;
}

interface StartedSystem {
  dev: DevFile;
  /** Stops worker and api and starts them again, with the code that is compiled now. */
  restart(): Promise<void>;
}

/**
 * Starts the whole system: PostgreSQL, Temporal, simulators, worker and api, and creates the demo workspace.
 * @throws ProvisioningError
 */
export async function startSystem(options: SystemOptions): Promise<StartedSystem> {
  const { settings, environment, progress } = options;
  for (const port of usedPorts(settings)) await refuseTakenPort(port);
  const secrets = localSecrets(settings.dataFolder);
  const addresses = addressesOf(settings, secrets);

  await progress.step('PostgreSQL, roles and schema', () =>
    provisionDatabase({ ...options, secrets, addresses }),
  );
  await provisionTemporal(options);

  const service = (name: string, script: string, env: NodeJS.ProcessEnv, healthUrl: string) =>
    progress.step(name, () => runService(options, { name, script, env, healthUrl, nodeArgs: [] }));
  if (addresses.carrierSimulator !== null) {
    const env = carrierEnvironment(environment, settings, secrets);
    await service('carrier', '../../simulators/carrier/main.js', env, `${addresses.carrierSimulator}/health`);
  }
  if (addresses.modelSimulator !== null) {
    const env = modelEnvironment(environment, settings);
    await service('model', '../../simulators/model/main.js', env, `${addresses.modelSimulator}/health`);
  }

  if (addresses.mailSimulator !== null) {
    const env = mailEnvironment(environment, settings);
    await service('mail', '../../simulators/mail/main.js', env, `${addresses.mailSimulator}/health`);
  }
  const sinkEnv = webhookSinkEnvironment(environment, settings);
  const sinkScript = '../../simulators/webhook-sink/main.js';
  await service('webhook-sink', sinkScript, sinkEnv, `${addresses.webhookSink}/health`);

  const env = serviceEnvironment(environment, settings, secrets);
  const dev = await progress.step('Demo workspace', () =>
    seedWorkspace(settings.dataFolder, addresses, {
      encryptionKey: env.ENCRYPTION_KEY ?? secrets.encryption,
      signingSecret: secrets.webhook,
    }),
  );
  await tellSinkSecret(addresses.webhookSink, recordsHook, secrets.webhook);
  if (addresses.carrierSimulator !== null) {
    for (const number of [clinicNumber, env.LOGIN_SMS_FROM]) {
      // An alphanumeric sender cannot receive messages.
      if (!number?.startsWith('+')) continue;
      await routeSimulatedNumber(addresses.carrierSimulator, number, addresses.baseUrl);
    }
  }
  const worker: ServiceDescription = {
    name: 'worker',
    script: '../../../runtime/main.js',
    env,
    healthUrl: `${addresses.workerHealthUrl}/health/ready`,
    nodeArgs: nodeArgs.worker,
  };
  const api: ServiceDescription = {
    name: 'api',
    script: '../../../api/main.js',
    env,
    healthUrl: `${addresses.baseUrl}/api/v2/health/ready`,
    nodeArgs: nodeArgs.api,
  };
  for (const own of [worker, api]) await progress.step(own.name, () => runService(options, own));
  const restart = async ({ name, ...own }: ServiceDescription) => {
    options.supervisor.release(name);
    await options.processes.stop(name);
    await runService(options, { name, ...own });
  };
  return {
    dev,
    restart: async () => {
      await progress.step('worker and api, restarted', () => Promise.all([restart(worker), restart(api)]));
    },
  };
}

interface ServiceDescription {
  name: string;
  /** Path relative to this compiled file. */
  script: string;
  env: NodeJS.ProcessEnv;
  healthUrl: string;
  nodeArgs: readonly string[];
}

function runService(
  options: SystemOptions,
  { name, script, env, healthUrl, nodeArgs: ownArgs }: ServiceDescription,
) {
  const { processes, supervisor, settings } = options;
  return supervisor.run({
    name,
    start: () =>
      startNodeService({
        processes,
        name,
        script: fileURLToPath(new URL(script, import.meta.url)),
        env,
        healthUrl,
        nodeArgs: ownArgs,
        dataFolder: settings.dataFolder,
      }),
  });
}

async function seedWorkspace(
  dataFolder: string,
  addresses: Addresses,
  { encryptionKey, signingSecret }: { encryptionKey: string; signingSecret: string },
): Promise<DevFile> {
  const kept = readDevFile(dataFolder);
  const database = new Database({ url: addresses.appUrl });
  try {
    const seeded = await seed({
      database,
      encryptionKey,
      sink: { url: addresses.webhookSink, signingSecret },
      ...(kept === undefined ? {} : { kept }),
    });
    const dev: DevFile = {
      baseUrl: addresses.baseUrl,
      workspaceUuid: seeded.workspaceUuid,
      adminApiKey: seeded.adminApiKey,
      memberApiKey: seeded.memberApiKey,
      otherWorkspaceUuid: seeded.otherWorkspaceUuid,
      otherAdminApiKey: seeded.otherAdminApiKey,
      adminEmail: seeded.adminEmail,
      temporalAddress: addresses.temporalAddress,
      temporalUi: addresses.temporalUi,
      carrierSimulator: addresses.carrierSimulator,
      modelSimulator: addresses.modelSimulator,
      mailSimulator: addresses.mailSimulator,
      webhookSink: addresses.webhookSink,
    };
    writeDevFile(dataFolder, dev);
    return dev;
  } finally {
    await database.close();
  }
}
