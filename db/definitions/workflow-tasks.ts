import type { Tx } from '../tx.js';
import { WorkflowRevisionModel } from './models/workflow-revision.js';
import {
  type WorkflowTaskRow as TaskColumns,
  WorkflowTaskAbilityModel,
  type WorkflowTaskAbilityRow,
  WorkflowTaskModel,
} from './models/workflow-task.js';

export type { WorkflowTaskAbilityRow } from './models/workflow-task.js';

/** A task with its abilities; a `TaskNode` of the task tree. */
export interface WorkflowTaskRow extends Omit<TaskColumns, 'sortOrder'> {
  /** Position among its siblings, from 0. */
  order: number;
  abilities: WorkflowTaskAbilityRow[];
}

/** A task to be stored, with its child tasks in their order. */
export interface WorkflowTaskTree
  extends Omit<TaskColumns, 'id' | 'workspaceId' | 'revisionId' | 'parentId' | 'sortOrder' | 'createdAt'> {
  abilities: Omit<WorkflowTaskAbilityRow, 'id' | 'workspaceId' | 'uuid' | 'taskId'>[];
  children: WorkflowTaskTree[];
}

/** Reads a revision's tasks in two queries: each parent before its children, siblings in their order. */
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

async function loadTasks(tx: Tx, revisionId: string, bindings: unknown[]): Promise<WorkflowTaskRow[]> {
  // Tasks are inserted level by level, siblings in order, so their ids are in that order too.
  const ofTasks = `task_id in (select id from workflow_tasks where revision_id = ${revisionId}) order by id`;
  const [tasks, abilities] = await Promise.all([
    WorkflowTaskModel.where(tx, `revision_id = ${revisionId} order by id`, bindings),
    WorkflowTaskAbilityModel.where(tx, ofTasks, bindings),
  ]);
  const rows = tasks.map(
    ({ sortOrder, ...row }): WorkflowTaskRow => ({ ...row, order: sortOrder, abilities: [] }),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const ability of abilities) byId.get(ability.taskId)?.abilities.push(ability);
  return rows;
}

/** The tasks of a published revision never change. @returns whether the revision was a draft */
export async function replaceDraftTasks(
  tx: Tx,
  revisionId: number,
  root: WorkflowTaskTree,
): Promise<boolean> {
  const isDraft = 'id = ? and published_at is null for no key update';
  const [draft] = await WorkflowRevisionModel.where(tx, isDraft, [revisionId]);
  if (draft === undefined) return false;
  await WorkflowTaskModel.deleteWhere(tx, 'revision_id = ?', [revisionId]);
  let level = [{ parentId: null as number | null, task: root, sortOrder: 0 }];
  while (level.length > 0) {
    const idByUuid = await insertTasks(tx, revisionId, level);
    await insertAbilities(tx, level, idByUuid);
    level = level.flatMap(({ task: { uuid, children } }) => {
      const parentId = idByUuid.get(uuid) ?? null;
      return children.map((task, sortOrder) => ({ parentId, task, sortOrder }));
    });
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
