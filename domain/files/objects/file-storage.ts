import type { ObjectStore } from '../object-store.js';

/** Where the bytes of files are, and how many a workspace may have. */
export interface FileStorage {
  objects: ObjectStore;
  bytesPerWorkspace: number;
}
