import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeArgs, workerEnvironment } from '../../../runtime/node-args.js';
import { cloneTemplate, type TestDatabase } from '../../../test/support/db/clone-template.js';
import type { TestBackends } from '../../../test/support/run/backends.js';
import { createNamespace } from '../../../test/support/temporal/own-namespace.js';
import { createWorkspace, type TestWorkspace } from '../../../test/support/workspace/factories.js';
import { freePort } from '../../dev/provision/ports.js';
import { ProcessTable } from '../../dev/provision/processes.js';
import { startModelSimulator } from '../../simulators/model/start-model-simulator.js';
import { type ProgramExtras, type StageProcess, startProgram } from './processes.js';

export type Backends = Pick<TestBackends, 'postgres' | 'temporal' | 'build'>;

/** The database, Temporal namespace, workspace and processes of one figure. */
export interface Stage extends Pick<TestDatabase, 'database' | 'appUrl' | 'relayUrl' | 'superuserUrl'> {
  temporal: { address: string; namespace: string };
  /** Base URL, without `/v1`, of a model simulator that answers at once. */
  modelUrl: string;
  workspace: TestWorkspace;
  /** For other processes that a figure starts; they end with the stage. */
  processes: ProcessTable;
  /** The ids of the processes of the service that were started, by their names. */
  programs: ReadonlyMap<string, number>;
  folder: string;
  startApi(extras?: ProgramExtras): Promise<StageProcess>;
  startWorker(extras?: ProgramExtras): Promise<StageProcess>;
  /** The carrier opens the streams of calls at `publicUrl`. */
  startMedia(extras: ProgramExtras): Promise<StageProcess & { publicUrl: string }>;
  /** Starts a floor or load generator: it listens on PORT and takes its settings from the environment. */
  startScript(script: URL, extras?: ProgramExtras): Promise<StageProcess>;
  /** Before its servers and its database are gone. */
  whenClosed(end: () => Promise<unknown>): void;
  close(): Promise<void>;
}

const unreached = '1000000000';

export const encryptionKey = 'of a bench, where nothing is worth hiding';

export async function openStage(backends: Backends): Promise<Stage> {
  const [{ port, superuserUrl, folder }, { address }] = await Promise.all([
    backends.postgres(),
    backends.temporal(),
  ]);
  const processes = new ProcessTable();
  const clone = await cloneTemplate(port, superuserUrl);
  const model = await startModelSimulator({ port: 0 });
  const temporal = { address, namespace: await createNamespace(address) };
  const logFolder = mkdtempSync(join(folder, 'stage-'));
  const env = {
    DATABASE_URL: clone.appUrl,
    LOGIN_SECRET: 'of a bench, where nobody ever signs in',
    ENCRYPTION_KEY: encryptionKey,
    RELAY_DATABASE_URL: clone.relayUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    OPENAI_API_KEY: 'simulated',
    OPENAI_BASE_URL: `${model.url}/v1`,
    // Requests are counted as in production, but the limit is never reached.
    RATE_LIMIT_CREDENTIAL: unreached,
    RATE_LIMIT_ACCOUNT: unreached,
    RATE_LIMIT_ADDRESS: unreached,
    RATE_LIMIT_WORKSPACE: unreached,
    AGENT_TURNS_PER_HOUR: unreached,
    AGENT_TURNS_PER_DAY: unreached,
  };
  const programs = new Map<string, number>();
  const ends: (() => Promise<unknown>)[] = [() => processes.stopAll(['api', 'media', 'worker', 'script'])];
  const start = async (
    name: string,
    args: readonly string[],
    readyPath: string,
    { nodeArgs: moreArgs = [], env: more, port }: ProgramExtras = { env: {} },
  ) => {
    const own = { args: [...moreArgs, ...args], env: { ...env, ...more }, port };
    const program = await startProgram({ processes, name, readyPath, logFolder, ...own });
    if (name !== 'script') programs.set(name, program.pid);
    return program;
  };
  const dist = async (program: string) => join((await backends.build()).dist, program);
  return {
    ...clone,
    temporal,
    modelUrl: model.url,
    processes,
    programs,
    folder: logFolder,
    workspace: await createWorkspace(clone.database),
    startApi: async (extras) =>
      start('api', [...nodeArgs.api, await dist('api/main.js')], '/api/v2/health/ready', extras),
    startWorker: async (extras) =>
      start('worker', [...nodeArgs.worker, await dist('runtime/main.js')], '/health/ready', {
        ...extras,
        env: { ...workerEnvironment, ...extras?.env },
      }),
    async startMedia(extras) {
      const streamPort = String(await freePort());
      const publicUrl = `ws://127.0.0.1:${streamPort}`;
      const media = await start('media', [...nodeArgs.media, await dist('media/main.js')], '/health/ready', {
        ...extras,
        env: { MEDIA_PORT: streamPort, MEDIA_PUBLIC_URL: publicUrl, MEDIA_DRAIN: '0', ...extras.env },
      });
      return { ...media, publicUrl };
    },
    startScript: (script, extras) => start('script', ['--import', 'tsx', fileURLToPath(script)], '/', extras),
    whenClosed: (end) => ends.push(end),
    async close() {
      for (const end of ends) await end();
      await Promise.all([model.close(), clone.drop()]);
    },
  };
}
