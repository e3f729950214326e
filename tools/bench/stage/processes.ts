import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../dev/provision/ports.js';
import type { ProcessTable } from '../../dev/provision/processes.js';

export interface StageProcess {
  pid: number;
  url: string;
  stop(): Promise<void>;
}

export interface ProgramExtras {
  nodeArgs?: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Absent: a free one. */
  port?: number;
}

interface ProgramOptions {
  port?: number | undefined;
  processes: ProcessTable;
  name: string;
  args: readonly string[];
  readyPath: string;
  env: Readonly<Record<string, string>>;
  logFolder: string;
}

const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts a program of the service and waits until it is ready. */
export async function startProgram(options: ProgramOptions): Promise<StageProcess> {
  const { processes, name, args, readyPath, env, logFolder } = options;
  const port = String(options.port ?? (await freePort()));
  const child = await processes.start({
    name,
    command: process.execPath,
    args,
    cwd: projectFolder,
    logFile: join(logFolder, `${name}-${port}.log`),
    env: {
      PATH: process.env.PATH,
      // `production` would reject the bench's addresses and secrets.
      NODE_ENV: 'development',
      CHECK_RESPONSES: 'false',
      HOST: '127.0.0.1',
      PORT: port,
      WORKER_HEALTH_PORT: port,
      MEDIA_HEALTH_PORT: port,
      ...env,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = async () => (await fetch(url + readyPath)).ok;
  if (!(await child.reaches(answers, { withinMs: 60_000, everyMs: 20 }))) {
    throw new Error(`${name} did not become ready: ${child.lastLines()}`);
  }
  return { pid: child.pid, url, stop: () => child.stop() };
}
