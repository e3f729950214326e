import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskStorage } from '../../../providers/storage/disk-storage.js';

/** A storage in a folder that exists until `remove`. */
export function scratchStorage(): { storage: DiskStorage; folder: string; remove(): void } {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'wes-storage-'));
  return {
    storage: new DiskStorage(folder),
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
