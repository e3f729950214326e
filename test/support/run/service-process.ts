import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../tools/dev/provision/ports.js';
import { ProcessTable } from '../../../tools/dev/provision/processes.js';
import { testLoginSecretText } from '../api/login.js';
import type { TestDatabase } from '../db/database.js';
import { testEncryptionKey } from '../lib/encryption.js';
import { waitFor } from '../lib/wait-for.js';
import type { TestSystem } from '../system/system.js';
import { build, postgresBackend } from './backend-client.js';
import { servicePidFile } from './leftovers.js';
import { passedOn } from './run-environment.js';

/** A compiled program of ours in a process of its own. */
export interface ServiceProcess {
  pid: number;
  url: string;
  running(): boolean;
  log(): string;
  isReady(): Promise<boolean>;
  kill(): Promise<void>;
  /** Asks it to end and waits until it has. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  system: Pick<TestSystem, 'temporal' | 'carrier' | 'model'>;
  testDatabase: Pick<TestDatabase, 'appUrl' | 'relayUrl'>;
  publicUrl: string;
  /** Where the carrier is, if something stands in between. */
  carrierUrl?: string;
  env?: Record<string, string>;
  nodeFlags?: readonly string[];
}

/** Where all cores are busy with other tests and servers that start. */
const startedWithinMs = 150_000;

const processes = new ProcessTable();
// A worker that is asked finishes its activities first, and whom they are for is gone.
process.once('exit', () => void processes.killAll());

export function startWorkerProcess(options: ServiceOptions): Promise<ServiceProcess> {
  return start('worker', 'runtime/main.js', '/health/ready', options);
}

/** Its streams are at `streamPort`; `url` is that of its health. */
export async function startMediaProcess(
  options: ServiceOptions,
): Promise<ServiceProcess & { streamPort: number }> {
  const streamPort = await freePort();
  const env = { MEDIA_PORT: String(streamPort), ...options.env };
  const service = await start('media', 'media/main.js', '/health/ready', { ...options, env });
  return { ...service, streamPort };
}

export function startApiProcess(options: ServiceOptions, port: number): Promise<ServiceProcess> {
  return start('api', 'api/main.js', '/api/v2/health/ready', options, port);
}

async function start(
  name: string,
  program: string,
  readyPath: string,
  { system, testDatabase, publicUrl, carrierUrl, env, nodeFlags = [] }: ServiceOptions,
  givenPort?: number,
): Promise<ServiceProcess> {
  const { dist } = await build();
  const port = givenPort ?? (await freePort());
  const { accountSid, authToken, apiBaseUrl } = system.carrier.credentials;
  const folder = mkdtempSync(join((await postgresBackend()).folder, `own-${name}-`));
  const child = await processes.start({
    name,
    command: process.execPath,
    args: [...nodeFlags, join(dist, program)],
    logFile: join(folder, 'log'),
    pidFile: join(folder, servicePidFile),
    env: {
      ...passedOn,
      HOST: '127.0.0.1',
      PORT: String(port),
      WORKER_HEALTH_PORT: String(port),
      MEDIA_HEALTH_PORT: String(port),
      MEDIA_DRAIN: '0',
      PUBLIC_URL: publicUrl,
      DATABASE_URL: testDatabase.appUrl,
      RELAY_DATABASE_URL: testDatabase.relayUrl,
      TEMPORAL_ADDRESS: system.temporal.address,
      TEMPORAL_NAMESPACE: system.temporal.namespace,
      LOGIN_SECRET: testLoginSecretText,
      ENCRYPTION_KEY: testEncryptionKey,
      TWILIO_ACCOUNT_SID: accountSid,
      TWILIO_AUTH_TOKEN: authToken,
      TWILIO_API_BASE_URL: carrierUrl ?? apiBaseUrl,
      OPENAI_API_KEY: 'simulated',
      OPENAI_BASE_URL: `${system.model.url}/v1`,
      ...env,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const service: ServiceProcess = {
    pid: child.pid,
    url,
    running: () => child.running,
    log: () => readFileSync(child.logFile, 'utf8'),
    isReady: async () => (await fetch(url + readyPath)).ok,
    kill: () => child.kill(),
    stop: () => child.stop(),
  };
  const isReadyOrOver = async () => !child.running || (await service.isReady());
  try {
    await waitFor(`the ${name} is ready`, isReadyOrOver, startedWithinMs);
  } catch (cause) {
    throw new Error(`the ${name} is not ready: ${child.lastLines(20)}`, { cause });
  }
  if (!child.running) throw new Error(`the ${name} ended: ${child.lastLines()}`);
  return service;
}
