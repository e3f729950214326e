import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { migrateToLatest } from '../../../db/migrator.js';
import { provisionRoles } from '../../../db/provision.js';
import { workflowSources } from '../../../runtime/workflow-sources.js';
import { obtainTemporal } from '../../../tools/dev/provision/obtain-temporal.js';
import { obtainVersitygw } from '../../../tools/dev/provision/obtain-versitygw.js';
import { writePidFile } from '../../../tools/dev/provision/pid-file.js';
import { freePort } from '../../../tools/dev/provision/ports.js';
import {
  type PostgresServer,
  postgresFiles,
  postgresUrl,
  startPostgres,
} from '../../../tools/dev/provision/postgres-server.js';
import { ProcessTable } from '../../../tools/dev/provision/processes.js';
import { consoleProgress } from '../../../tools/dev/provision/progress.js';
import { startS3Server } from '../../../tools/dev/provision/s3-server.js';
import { startTemporal } from '../../../tools/dev/provision/temporal-server.js';
import { clearFolder, clearLeftovers, runFolderPrefix, runRoot } from './leftovers.js';
import { compiledAlready } from './run-environment.js';

/** Nothing secret: the server lives for one test run and listens on the loopback address alone. */
export const testPassword = 'test';
export const templateDatabase = 'wes_template';

const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));

export interface PostgresBackend {
  port: number;
  superuserUrl: string;
  /** The run's folder: what lies in it is ended and removed with it. */
  folder: string;
}

export interface TemporalBackend {
  address: string;
  /** The `temporal` program, for tests that start a server of their own. */
  program: string;
  /** The run's folder: what lies in it is ended and removed with it. */
  folder: string;
}

export interface S3Backend {
  endpoint: string;
  keyId: string;
  secret: string;
  /** A bucket is a folder in it. */
  buckets: string;
}

export interface WorkflowBundle {
  path: string;
}

export interface Build {
  dist: string;
}

/** Starts what tests ask for, once, and removes it all at the end. */
export class TestBackends {
  readonly #postgresSettings: readonly string[];
  readonly #processes = new ProcessTable();
  readonly #started: Promise<unknown>[] = [];
  #folder: Promise<string> | undefined;
  readonly postgres = this.#once(() => this.#startPostgres());
  readonly temporal = this.#once(() => this.#startTemporal());
  readonly s3 = this.#once(() => this.#startS3());
  readonly workflows = this.#once(() => this.#bundleWorkflows());
  readonly build = this.#once(buildProject);

  /** @param postgresSettings beside those of tests */
  constructor(postgresSettings: readonly string[] = []) {
    this.#postgresSettings = postgresSettings;
  }

  #once<T>(start: () => Promise<T>): () => Promise<T> {
    let started: Promise<T> | undefined;
    return () => {
      started ??= start();
      this.#started.push(started);
      return started;
    };
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#started);
    // Nothing of it is kept, so nothing has to be written down first.
    await this.#processes.killAll();
    if (this.#folder !== undefined) await clearFolder(await this.#folder);
  }

  async #startPostgres(): Promise<PostgresBackend> {
    const folder = await this.#runFolder();
    const quick = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];
    const settings = [...quick, ...this.#postgresSettings];
    const port = await freePort();
    const own = { processes: this.#processes, port, password: testPassword, settings };
    const server = await startPostgres({ ...own, ...postgresFiles(folder) });
    await makeTemplate(server);
    return { port: server.port, superuserUrl: server.superuserUrl, folder };
  }

  async #startTemporal(): Promise<TemporalBackend> {
    const program = await obtainTemporal(consoleProgress());
    const folder = await this.#runFolder();
    const { address } = await startTemporal({
      processes: this.#processes,
      program,
      port: await freePort(),
      logFile: join(folder, 'logs/temporal.log'),
      pidFile: join(folder, 'temporal.pid'),
    });
    return { address, program, folder };
  }

  async #startS3(): Promise<S3Backend> {
    const program = await obtainVersitygw(consoleProgress());
    const folder = await this.#runFolder();
    const credential = { keyId: 'test', secret: testPassword };
    const { endpoint, buckets } = await startS3Server({
      ...credential,
      processes: this.#processes,
      program,
      port: await freePort(),
      folder: join(folder, 's3'),
      pidFile: join(folder, 's3.pid'),
    });
    return { ...credential, endpoint, buckets };
  }

  /** Bundling takes seconds: once for all workers of the run. */
  async #bundleWorkflows(): Promise<WorkflowBundle> {
    const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
    const { code } = await bundleWorkflowCode({
      ...workflowSources,
      logger: new DefaultLogger('WARN'),
    });
    const path = join(await this.#runFolder(), 'workflow-bundle.js');
    await writeFile(path, code);
    return { path };
  }

  #runFolder(): Promise<string> {
    this.#folder ??= makeRunFolder();
    return this.#folder;
  }
}

/** Compiles the project as `npm start` does, for tests that start its programs. */
async function buildProject(): Promise<Build> {
  const dist = join(projectFolder, 'dist');
  if (process.env[compiledAlready] !== undefined) return { dist };
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: projectFolder });
  return { dist };
}

async function makeRunFolder(): Promise<string> {
  await clearLeftovers();
  const folder = mkdtempSync(join(runRoot(), runFolderPrefix));
  writePidFile(join(folder, 'run.pid'), process.pid);
  return folder;
}

/** Gives a server the roles and the migrated database that tests clone. */
export async function makeTemplate({ port, superuserUrl }: Omit<PostgresServer, 'process'>): Promise<void> {
  const password = testPassword;
  const passwords = { wes_migrator: password, wes_app: password, wes_relay: password };
  await provisionRoles(superuserUrl, { database: templateDatabase, passwords });
  await migrateToLatest(postgresUrl({ user: 'wes_migrator', password, port, database: templateDatabase }));
}
