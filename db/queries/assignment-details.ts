import type { Tx } from '../database.js';

/** What an assignment runs on, by name. */
export interface AssignmentWorkflow {
  assignmentId: number;
  workflowName: string;
  workflowUuid: string;
  revisionUuid: string;
  revisionNumber: number;
  revisionName: string;
}

/** Definitions and revisions of several assignments in one query. */
export async function workflowsOfAssignments(
  tx: Tx,
  assignmentIds: readonly number[],
): Promise<AssignmentWorkflow[]> {
  return tx('assignments as a')
    .join('workflow_definitions as d', 'd.id', 'a.definition_id')
    .join('workflow_revisions as r', 'r.id', 'a.revision_id')
    .whereIn('a.id', [...assignmentIds])
    .select({
      assignmentId: 'a.id',
      workflowName: 'd.name',
      workflowUuid: 'd.uuid',
      revisionUuid: 'r.uuid',
      revisionNumber: 'r.number',
      revisionName: 'r.name',
    });
}

/** A task of an assignment with what its definition says of it. */
export interface AssignmentTaskDetails {
  id: number;
  uuid: string;
  assignmentId: number;
  parentId: number | null;
  visitedAt: Date | null;
  taskId: number;
  taskUuid: string;
  taskName: string;
  required: boolean;
  autoNext: boolean;
}

/** All tasks of several assignments in one query: parents before their children, siblings in their order. */
export async function tasksOfAssignments(
  tx: Tx,
  assignmentIds: readonly number[],
): Promise<AssignmentTaskDetails[]> {
  return (
    tx('assignment_tasks as t')
      .join('workflow_tasks as w', 'w.id', 't.task_id')
      .whereIn('t.assignment_id', [...assignmentIds])
      // A revision's tasks are stored level by level, siblings in order.
      .orderBy('w.id')
      .orderBy('t.id')
      .select({
        id: 't.id',
        uuid: 't.uuid',
        assignmentId: 't.assignment_id',
        parentId: 't.parent_id',
        visitedAt: 't.visited_at',
        taskId: 'w.id',
        taskUuid: 'w.uuid',
        taskName: 'w.name',
        required: 'w.required',
        autoNext: 'w.auto_next',
      })
  );
}
