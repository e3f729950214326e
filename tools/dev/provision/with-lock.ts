import { randomUUID } from 'node:crypto';
import { linkSync, rmSync } from 'node:fs';
import { waitUntil } from '../../../runtime/wait-until.js';
import { runningPid, writePidFile } from './pid-file.js';
import { ProvisioningError } from './provisioning-error.js';

/**
 * Does `work` while no other process holds the lock. The lock of a process that has ended does not count.
 * @throws ProvisioningError if it is not free in time
 */
export async function withLock<T>(file: string, withinMs: number, work: () => Promise<T>): Promise<T> {
  const own = `${file}.${randomUUID()}`;
  writePidFile(own, process.pid);
  try {
    if (!(await waitUntil(() => isTaken(own, file), { withinMs, everyMs: 500 }))) {
      throw new ProvisioningError(`The process ${runningPid(file)} holds the lock ${file}.`);
    }
    try {
      return await work();
    } finally {
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** A link is made whole or not at all, with the id of its process. */
function isTaken(own: string, file: string): boolean {
  if (runningPid(file) === undefined) rmSync(file, { force: true });
  linkSync(own, file);
  return true;
}
