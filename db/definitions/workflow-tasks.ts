import type { TaskType } from '../../domain/definitions/task-tree/types.js';
import type { Tx } from '../database.js';
import { selectRows } from '../lib/rows.js';
import { WorkflowRevisionModel } from './models/workflow-revision.js';
import { type WorkflowTaskRow as TaskColumns, WorkflowTaskModel } from './models/workflow-task.js';
import { WorkflowTaskAbilityModel, type WorkflowTaskAbilityRow } from './models/workflow-task-ability.js';

export type { WorkflowTaskAbilityRow } from './models/workflow-task-ability.js';

/** A task with its abilities; a `TaskNode` of the task tree. */
export interface WorkflowTaskRow extends Omit<TaskColumns, 'sortOrder'> {
  /** Position among its siblings, from 0. */
  order: number;
  abilities: WorkflowTaskAbilityRow[];
}

/** A task to be stored, with its child tasks in their order. */
export interface WorkflowTaskTree {
  uuid: string;
  name: string;
  taskType: TaskType;
  prompt: string | null;
  shortPrompt: string | null;
  choicePrompt: string | null;
  description: string | null;
  configuration: Record<string, unknown>;
  celGuard: string | null;
  celCondition: string | null;
  autoNext: boolean;
  required: boolean;
  abilities: {
    abilityType: string;
    config: Record<string, unknown>;
    enabled: boolean;
    celCondition: string | null;
  }[];
  children: WorkflowTaskTree[];
}

/**
 * Reads a revision's tasks with their abilities as a flat list: each parent before its children, siblings in their
 * order. Two queries, whatever the size of the tree.
 */
export async function loadRevisionTasks(tx: Tx, revisionId: number): Promise<WorkflowTaskRow[]> {
  return loadTasks(tx, '?', [revisionId]);
}

/** `loadRevisionTasks` for the given revision, else for the definition's active one; empty where there is none. */
export async function loadTasksInForce(
  tx: Tx,
  { workflowId, workflowRevisionId = null }: { workflowId: number; workflowRevisionId?: number | null },
): Promise<WorkflowTaskRow[]> {
  const activeRevisionId = '(select active_revision_id from workflow_definitions where id = ?)';
  return loadTasks(tx, `coalesce(?::bigint, ${activeRevisionId})`, [workflowRevisionId, workflowId]);
}

async function loadTasks(
  tx: Tx,
  revisionId: string,
  bindings: readonly unknown[],
): Promise<WorkflowTaskRow[]> {
  // Tasks are inserted level by level, siblings in order, so their ids are in that order too.
  const [tasks, abilities] = await Promise.all([
    selectRows(WorkflowTaskModel, tx, `revision_id = ${revisionId} order by id`, bindings),
    selectRows(
      WorkflowTaskAbilityModel,
      tx,
      `task_id in (select id from workflow_tasks where revision_id = ${revisionId}) order by id`,
      bindings,
    ),
  ]);
  const rows = tasks.map((task): WorkflowTaskRow => {
    const { sortOrder: order, ...columns } = task;
    return { ...columns, order, abilities: [] };
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const ability of abilities) byId.get(ability.taskId)?.abilities.push(ability);
  return rows;
}

/**
 * Replaces a draft's tasks with this tree. The tasks of a published revision never change.
 * @returns whether the revision was a draft
 */
export async function replaceDraftTasks(
  tx: Tx,
  revisionId: number,
  root: WorkflowTaskTree,
): Promise<boolean> {
  const draft = await WorkflowRevisionModel.query(tx)
    .select('id')
    .findById(revisionId)
    .whereNull('published_at')
    .forNoKeyUpdate();
  if (draft === undefined) return false;
  await WorkflowTaskModel.query(tx).delete().where({ revision_id: revisionId });
  let level = [{ parentId: null as number | null, task: root, sortOrder: 0 }];
  while (level.length > 0) {
    const idByUuid = await insertTasks(tx, revisionId, level);
    await insertAbilities(tx, level, idByUuid);
    level = level.flatMap(({ task }) =>
      task.children.map((child, sortOrder) => ({
        parentId: idByUuid.get(task.uuid) ?? null,
        task: child,
        sortOrder,
      })),
    );
  }
  return true;
}

interface PlacedTask {
  parentId: number | null;
  task: WorkflowTaskTree;
  sortOrder: number;
}

async function insertTasks(tx: Tx, revisionId: number, level: PlacedTask[]): Promise<Map<string, number>> {
  const rows = await WorkflowTaskModel.query(tx)
    .insert(
      level.map(({ parentId, sortOrder, task: { abilities: _, children: __, ...columns } }) => ({
        ...columns,
        workspaceId: tx.workspaceId,
        revisionId,
        parentId,
        sortOrder,
      })),
    )
    .returning(['id', 'uuid']);
  return new Map(rows.map((row) => [row.uuid, row.id]));
}

async function insertAbilities(tx: Tx, level: PlacedTask[], idByUuid: Map<string, number>): Promise<void> {
  const rows = level.flatMap(({ task }) => {
    const taskId = idByUuid.get(task.uuid);
    if (taskId === undefined) return [];
    return task.abilities.map((ability) => ({ ...ability, workspaceId: tx.workspaceId, taskId }));
  });
  if (rows.length > 0) await WorkflowTaskAbilityModel.query(tx).insert(rows);
}
