import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, findOnPath, findTemporal } from './find-temporal.js';
import type { Progress } from './progress.js';
import { ProvisioningError } from './provisioning-error.js';

/** The newest tag that is a plain Go module: later ones carry a `replace`, which `go install` refuses. */
const goModule = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';

/**
 * The `temporal` program: the one on this machine, else the official download, else built with Go. Fetched
 * once and kept in the cache.
 * @throws ProvisioningError when there is no way to get it
 */
export async function obtainTemporal(progress: Progress): Promise<string> {
  const found = findTemporal();
  if (found !== undefined) return found;

  const target = cacheFolder();
  mkdirSync(target, { recursive: true });
  const downloaded = await progress
    .step('Downloading the Temporal dev server (once)', () => download(target))
    .catch(() => undefined);
  if (downloaded !== undefined) return downloaded;

  const go = findOnPath('go') ?? ['/usr/local/go/bin/go'].find((file) => existsSync(file));
  if (go === undefined) {
    throw new ProvisioningError(
      'Temporal is missing and its download cannot be reached: install the temporal program (or Go, with which it is built), or set TEMPORAL_ADDRESS to a server you have.',
    );
  }
  await progress.step('Building the Temporal dev server with Go (once, some minutes)', (say) =>
    goInstall(go, target, say),
  );
  return findTemporal() ?? join(target, 'temporal');
}

/** Lets `@temporalio/testing` fetch the program as it does for tests, and keeps it. */
async function download(target: string): Promise<string> {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const folder = mkdtempSync(join(tmpdir(), 'wes-temporal-'));
  try {
    const environment = await withinMinutes(
      3,
      TestWorkflowEnvironment.createLocal({
        server: { executable: { type: 'cached-download', downloadDir: folder } },
      }),
    );
    await environment.teardown();
    const file = readdirSync(folder).find((name) => name.startsWith('temporal'));
    if (file === undefined) throw new Error('the download left no file');
    const program = join(target, 'temporal');
    // Copied beside and renamed, so that another start never sees half a program.
    copyFileSync(join(folder, file), `${program}.${process.pid}`);
    chmodSync(`${program}.${process.pid}`, 0o755);
    renameSync(`${program}.${process.pid}`, program);
    return program;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An address that swallows packets must not keep us from trying the next way. */
async function withinMinutes<T>(minutes: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it took too long')), minutes * 60_000);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

async function goInstall(go: string, target: string, say: (detail: string) => void): Promise<void> {
  const child = spawn(go, ['install', '-v', goModule], {
    env: { ...process.env, GOBIN: target },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = () => child.kill();
  process.once('exit', end);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said = `${said}${chunk}`.slice(-2_000);
    say(said.trimEnd().split('\n').at(-1) ?? '');
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  process.removeListener('exit', end);
  if (code === 0) return;
  const reason = said.trimEnd().split('\n').at(-1) ?? '';
  throw new ProvisioningError(`Temporal could not be built with Go: ${reason}`);
}
