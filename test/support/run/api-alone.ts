import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testLoginSecretText } from '../api/login.js';
import { testEncryptionKey } from '../lib/encryption.js';
import { waitFor } from '../lib/wait-for.js';
import { build } from './backend-client.js';
import { endsWithTestProcess } from './ends-with-test-process.js';
import { passedOn } from './run-environment.js';

/** A compiled api in a process of its own, without Temporal and providers (`service-process.ts` starts it with them). */
export interface ApiAlone {
  child: ChildProcess;
  /** The lines of its log, and those of its stderr, so far. */
  log: Record<string, unknown>[];
  errors: string[];
}

/** Starts an api on a free port. It may end by itself; `urlOf` waits until it serves. */
export async function startApiAlone(
  databaseUrl: string,
  environment: Record<string, string> = {},
  nodeArgs: readonly string[] = [],
): Promise<ApiAlone> {
  const { dist } = await build();
  const child = endsWithTestProcess(
    spawn(process.execPath, [...nodeArgs, join(dist, 'api/main.js')], {
      env: {
        ...passedOn,
        DATABASE_URL: databaseUrl,
        LOGIN_SECRET: testLoginSecretText,
        ENCRYPTION_KEY: testEncryptionKey,
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        HOST: '127.0.0.1',
        PORT: '0',
        ...environment,
      },
    }),
  );
  const api: ApiAlone = { child, log: [], errors: [] };
  createInterface(child.stdout).on('line', (line) => api.log.push(JSON.parse(line)));
  createInterface(child.stderr).on('line', (line) => api.errors.push(line));
  return api;
}

/** Waits until an api serves, on a busy machine for a minute. @returns its address, without `/api/v2` */
export async function urlOf({ log, errors }: ApiAlone): Promise<string> {
  const isUp = () => log.find(({ msg }) => msg === 'api started');
  const { port } = await waitFor('the api has started', isUp, 60_000).catch((cause) => {
    throw new Error(`the api does not serve: ${errors.join(' ')}`, { cause });
  });
  return `http://127.0.0.1:${port}`;
}
