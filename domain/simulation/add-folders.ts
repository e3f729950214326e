import { insertFolder } from '../../db/files/folders.js';
import type { Tx } from '../../db/tx.js';

/** Adds empty folders at these paths of slugs, and above them. */
export async function addFolders(
  tx: Tx,
  paths: readonly string[],
  { ownerMemberId, now }: { ownerMemberId: number; now: Date },
): Promise<void> {
  const ids = new Map<string, number>();
  for (const path of paths) {
    let parentFolderId: number | null = null;
    const slugs = path.split('/');
    for (const [depth, slug] of slugs.entries()) {
      const at = slugs.slice(0, depth + 1).join('/');
      const values = { parentFolderId, name: slug, slug, description: null, ownerMemberId } as const;
      const id: number = ids.get(at) ?? (await insertFolder(tx, { ...values, access: 'workspace' }, now)).id;
      ids.set(at, id);
      parentFolderId = id;
    }
  }
}
