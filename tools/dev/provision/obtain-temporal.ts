import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, findTemporal } from './find-temporal.js';
import { findGo, goInstall } from './go-install.js';
import type { Progress } from './progress.js';
import { ProvisioningError } from './provisioning-error.js';

/** The newest tag that `go install` accepts: the `go.mod` of later tags has a `replace` directive. */
const goModule = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';

/**
 * Returns the `temporal` program: the one on this machine, else the official download, else a build with Go. A
 * download or build is kept in the cache.
 * @throws ProvisioningError when none of the three works
 */
export async function obtainTemporal(progress: Progress): Promise<string> {
  const found = findTemporal();
  if (found !== undefined) return found;

  const target = cacheFolder();
  mkdirSync(target, { recursive: true });
  let reason: string;
  try {
    return await progress.step('Downloading the Temporal dev server (once)', () => download(target));
  } catch (error) {
    reason = reasonOf(error);
  }

  const go = findGo();
  if (go === undefined) {
    throw new ProvisioningError(
      `The temporal program is not installed and could not be downloaded (${reason}). Install it, or install Go to build it, or set TEMPORAL_ADDRESS to an existing server.`,
    );
  }
  progress.note(`It could not be downloaded (${reason}), so it is built with Go instead.`);
  await progress.step('Building the Temporal dev server with Go (once, some minutes)', (say) =>
    goInstall({ go, module: goModule, target, name: 'Temporal', say }),
  );
  return findTemporal() ?? join(target, 'temporal');
}

const maxReasonLength = 300;

/** The message of an error with those of its causes, in one line. */
export function reasonOf(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!messages.includes(cause.message)) messages.push(cause.message);
  }
  const text = messages.join(': ').replace(/\s+/g, ' ').trim();
  return (text === '' ? String(error) : text).slice(0, maxReasonLength);
}

/** Downloads the program through `@temporalio/testing`, as the tests do, and keeps a copy. */
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
    // Copy to a temporary name, then rename, so that a concurrent start never sees an incomplete file.
    copyFileSync(join(folder, file), `${program}.${process.pid}`);
    chmodSync(`${program}.${process.pid}`, 0o755);
    renameSync(`${program}.${process.pid}`, program);
    return program;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Limits the wait: a firewall that drops packets must not block the fallback to Go. */
async function withinMinutes<T>(minutes: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${minutes} minutes`)), minutes * 60_000);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
