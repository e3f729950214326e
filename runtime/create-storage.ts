import { join } from 'node:path';
import type { Database } from '../db/database.js';
import { ProviderFailure } from '../providers/failures.js';
import { DiskStorage } from '../providers/storage/disk-storage.js';
import { S3Storage } from '../providers/storage/s3-storage.js';
import type { Storage } from '../providers/storage/storage.js';
import type { Configuration } from './configuration.js';
import type { Logger } from './logger.js';

/** The configured storage; it need not be reachable yet. A folder without objects is new if no row has one. */
export function createStorage({ folder, s3 }: Configuration['storage'], db: Database): Storage {
  // Without the database, it is not known to be new.
  const isNew = async () => !(await db.hasStoredObjects().catch(() => true));
  return s3 === undefined
    ? new DiskStorage(folder, { isNew })
    : new S3Storage({ ...s3, spoolFolder: join(folder, 'spool') });
}

const whys: Record<string, string> = {
  folder_missing:
    ': STORAGE_FOLDER has no folder "objects", although files are stored. Is its volume mounted in the place of an empty folder?',
};

/** Tells operators at boot whether the storage can be used. Processes start without it, and use it once they can. */
export async function checkStorage(storage: Storage, logger: Logger): Promise<void> {
  try {
    await storage.check();
    logger.info({ storage: storage.kind }, 'the storage can be used');
  } catch (error) {
    const code = error instanceof ProviderFailure ? error.code : 'unknown';
    const why = whys[code] ?? '';
    logger.error({ storage: storage.kind, code }, `the storage cannot be used${why}`);
  }
}

const spoolsEveryMs = 3_600_000;
const spoolsForMs = 24 * 3_600_000;

/** Removes what crashes left in the spool folder of this machine: at once, and every hour. */
export function collectSpools(storage: Storage, logger: Logger): void {
  const collect = async (): Promise<void> => {
    try {
      const removed = await storage.collectSpools(new Date(Date.now() - spoolsForMs));
      if (removed > 0) logger.info({ removed }, 'spooled files are removed');
    } catch (error) {
      const code = error instanceof ProviderFailure ? error.code : 'unknown';
      logger.warn({ code }, 'spooled files are not removed');
    }
  };
  void collect();
  setInterval(collect, spoolsEveryMs).unref();
}
