import { dataNamedIn, type NamedData } from '../../lib/cel.js';
import { expressionsOfTask } from '../revision-rules/expressions-of-task.js';
import type { TaskTree } from './types.js';

const maxKept = 1_000;
const kept = new Map<number, NamedData>();

/**
 * The data types that the conditions and templates of a definition refer to. Cached by revision, because revisions with
 * runs are immutable; the oldest entry is evicted first.
 */
export function dataNamedBy(tree: TaskTree, revisionId: number): NamedData {
  const known = kept.get(revisionId);
  if (known !== undefined) return known;
  const found = findNamed(tree);
  const oldest = kept.size >= maxKept ? kept.keys().next().value : undefined;
  if (oldest !== undefined) kept.delete(oldest);
  kept.set(revisionId, found);
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
