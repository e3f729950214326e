import { randomUUID } from 'node:crypto';
import type { WorkflowTaskRow, WorkflowTaskTree } from '../../../db/definitions/workflow-tasks.js';
import type { RevisionTask } from '../revision-rules/types.js';
import type { TaskType } from '../task-tree/task-types.js';

/** Converts a checked task and its descendants to their stored form, with all defaults applied. */
export function completeTask(task: RevisionTask): WorkflowTaskTree {
  return {
    uuid: task.uuid?.toLowerCase() ?? randomUUID(),
    name: task.name,
    taskType: task.taskType as TaskType,
    prompt: task.prompt ?? null,
    shortPrompt: task.shortPrompt ?? null,
    choicePrompt: task.choicePrompt ?? null,
    description: task.description ?? null,
    configuration: task.configuration ?? {},
    celGuard: task.celGuard ?? null,
    celCondition: task.celCondition ?? null,
    afterCall: task.afterCall ?? null,
    realtimeModelConfig: task.realtimeModelConfig ?? null,
    autoNext: task.autoNext ?? false,
    required: task.required ?? false,
    abilities: (task.abilities ?? []).map((ability) => ({
      abilityType: ability.abilityType,
      config: ability.config ?? {},
      enabled: ability.enabled ?? true,
      celCondition: ability.celCondition ?? null,
    })),
    children: (task.children ?? []).map(completeTask),
  };
}

/** A stored task with its child tasks, in order. */
export type StoredTaskTree = WorkflowTaskRow & { children: StoredTaskTree[] };

/** Builds the tree from the tasks of a revision, parents before their children; null if there are none. */
export function storedTaskTree(rows: readonly WorkflowTaskRow[]): StoredTaskTree | null {
  const trees = new Map<number, StoredTaskTree>();
  let root: StoredTaskTree | null = null;
  for (const row of rows) {
    const tree: StoredTaskTree = { ...row, children: [] };
    trees.set(row.id, tree);
    if (row.parentId === null) root = tree;
    else trees.get(row.parentId)?.children.push(tree);
  }
  return root;
}
