import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ManagedProcess, ProcessTable } from './processes.js';
import { ProvisioningError } from './provisioning-error.js';

export interface S3ServerOptions {
  processes: ProcessTable;
  /** From `obtainVersitygw`. */
  program: string;
  port: number;
  keyId: string;
  secret: string;
  /** Buckets are folders in it. */
  folder: string;
  pidFile?: string;
}

export interface S3Server {
  process: ManagedProcess;
  endpoint: string;
  /** A bucket is a folder in it. */
  buckets: string;
}

/** Starts an S3-compatible server on files, and waits until it answers. @throws ProvisioningError */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const { processes, program, port, keyId, secret, folder } = options;
  const [buckets, meta] = [join(folder, 'buckets'), join(folder, 'meta')];
  for (const made of [buckets, meta]) mkdirSync(made, { recursive: true });
  const endpoint = `http://127.0.0.1:${port}`;
  const server = await processes.start({
    name: 's3',
    command: program,
    // The metadata have a folder of their own, as not every file system has extended attributes.
    args: ['--port', `127.0.0.1:${port}`, '--keep-alive', '--quiet', 'posix', '--sidecar', meta, buckets],
    env: { ...process.env, ROOT_ACCESS_KEY_ID: keyId, ROOT_SECRET_ACCESS_KEY: secret },
    logFile: join(folder, 's3.log'),
    ...(options.pidFile && { pidFile: options.pidFile }),
  });
  const answers = async () => (await fetch(endpoint)).status > 0;
  if (await server.reaches(answers, { withinMs: 30_000, everyMs: 50 }))
    return { process: server, endpoint, buckets };
  await server.kill();
  throw new ProvisioningError(`The S3 server did not start on port ${port}: ${server.lastLines()}`);
}
