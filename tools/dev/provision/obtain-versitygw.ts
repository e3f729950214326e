import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './find-temporal.js';
import { findGo, goInstall } from './go-install.js';
import type { Progress } from './progress.js';
import { ProvisioningError } from './provisioning-error.js';
import { withLock } from './with-lock.js';

const version = '1.8.0';
const maxBuildMs = 20 * 60_000;

/**
 * Returns `versitygw`, an S3-compatible server for tests and development, built with Go once and kept in the cache.
 * Processes that need it at once share one build.
 * @throws ProvisioningError without Go, or when the build fails
 */
export async function obtainVersitygw(
  progress: Progress,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const target = cacheFolder(environment);
  const program = join(target, `versitygw-${version}`);
  if (existsSync(program)) return program;
  const go = findGo();
  if (go === undefined)
    throw new ProvisioningError('The S3 server of the tests is built with Go: install Go.');
  mkdirSync(target, { recursive: true });
  await progress.step('Building an S3 server with Go (once, some minutes)', (say) =>
    withLock(`${program}.lock`, maxBuildMs, async () => {
      if (existsSync(program)) return;
      const folder = mkdtempSync(join(target, 'building-'));
      try {
        const module = `github.com/versity/versitygw/cmd/versitygw@v${version}`;
        await goInstall({ go, module, target: folder, name: 'The S3 server', say });
        renameSync(join(folder, 'versitygw'), program);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
  );
  return program;
}
