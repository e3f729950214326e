import { dataNamedIn, type NamedData } from '../cel.js';
import { expressionsOfTask } from '../revision-rules/expressions-of-task.js';
import type { TaskTree } from './types.js';

const maxKept = 1_000;
const kept = new Map<string, NamedData>();

/**
 * The data types that conditions and templates of a definition name. Revisions that run are frozen, so what was found
 * is kept by the revision, the oldest going first. The key includes the root task, because ids of
 * revisions repeat in other databases.
 */
export function dataNamedBy(tree: TaskTree, revisionId: number): NamedData {
  const key = `${revisionId} ${tree.root.uuid}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const found = findNamed(tree);
  const oldest = kept.size >= maxKept ? kept.keys().next().value : undefined;
  if (oldest !== undefined) kept.delete(oldest);
  kept.set(key, found);
  return found;
}

function findNamed(tree: TaskTree): NamedData {
  const slugs = new Set<string>();
  for (const task of tree.byId.values()) {
    for (const { text } of expressionsOfTask(task)) {
      const named = dataNamedIn(text);
      if (named === 'all') return 'all';
      for (const slug of named) slugs.add(slug);
    }
  }
  return slugs;
}
