import { StorageBusy, StorageUnusable } from './storage.js';

/** True: nothing works with the storage until an operator has seen to it. False: what is there can still be read. */
const unusable: Readonly<Record<string, { code: string; wholeAccount: boolean }>> = {
  ENOSPC: { code: 'disk_full', wholeAccount: false },
  EDQUOT: { code: 'disk_full', wholeAccount: false },
  EROFS: { code: 'disk_read_only', wholeAccount: false },
  EIO: { code: 'disk_broken', wholeAccount: false },
  EACCES: { code: 'folder_not_accessible', wholeAccount: true },
  EPERM: { code: 'folder_not_accessible', wholeAccount: true },
  ENOENT: { code: 'folder_missing', wholeAccount: true },
  ENOTDIR: { code: 'folder_missing', wholeAccount: true },
};
const busy = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EBUSY', 'EAGAIN']);

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException)?.code;

/** The failure that an error of the file system means; others are unchanged. Messages of the former quote paths. */
export function diskFailure(error: unknown): unknown {
  const code = codeOf(error) ?? '';
  const known = unusable[code];
  if (known !== undefined) return new StorageUnusable(known.code, { wholeAccount: known.wholeAccount });
  return busy.has(code) ? new StorageBusy(code) : error;
}

/** @throws the failures of `diskFailure` */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskFailure(error);
  }
}
