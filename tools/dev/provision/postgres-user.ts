import { spawnSync } from 'node:child_process';
import { outputOf } from './pid-file.js';
import { ProvisioningError } from './provisioning-error.js';

interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * The user that PostgreSQL runs as: the current user (undefined), except for root, which PostgreSQL refuses. For root
 * it is the system user `postgres`, created if it does not exist.
 * @throws ProvisioningError
 */
export function postgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = lookUp();
  if (found !== undefined) return found;
  spawnSync('useradd', ['--system', '--user-group', '--shell', '/usr/sbin/nologin', 'postgres']);
  const made = lookUp();
  if (made !== undefined) return made;
  throw new ProvisioningError(
    'PostgreSQL does not run as root, and the system user postgres could not be created. Create it, or run this as another user.',
  );
}

export function canReach(path: string): boolean {
  const user = postgresUser();
  return user === undefined || spawnSync('test', ['-x', path], { ...user, cwd: '/' }).status === 0;
}

function lookUp(): SystemUser | undefined {
  try {
    const id = (flag: string) => Number(outputOf('id', flag, 'postgres'));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}
