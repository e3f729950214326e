import { findFolderByPath } from '../../../db/files/folder-trees.js';
import type { Tx } from '../../../db/tx.js';
import type { RevisionTask } from '../revision-rules/types.js';
import { walkTasks } from '../revision-rules/walk-tasks.js';

/** Returns the paths of the folders that the abilities of these tasks name, each once. */
export function foldersNamedBy(tasks: readonly RevisionTask[]): string[] {
  const abilities = [...walkTasks(tasks)].flatMap(({ task }) => task.abilities ?? []);
  const paths = abilities.map(({ config }) => config?.folderPath);
  return [...new Set(paths.filter((path) => typeof path === 'string'))];
}

/** Returns those of these paths of slugs at which there is a folder. */
export async function existingFolders(tx: Tx, paths: readonly string[]): Promise<string[]> {
  const ids = await Promise.all(paths.map((path) => findFolderByPath(tx, path.split('/'))));
  return paths.filter((_, index) => ids[index] !== undefined);
}
