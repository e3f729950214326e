import type { Tx } from '../database.js';
import { AssignmentTaskModel, type AssignmentTaskRow } from '../models/assignment-task.js';
import { AssignmentTaskVisitModel, type AssignmentTaskVisitRow } from '../models/assignment-task-visit.js';
import { patchRow } from '../models/tenant-model.js';

export type { AssignmentTaskRow } from '../models/assignment-task.js';
export type { AssignmentTaskVisitRow, EnteredBy } from '../models/assignment-task-visit.js';

/** Creates the rows of a whole tree , then ties children to parents as the definition does. */
export async function insertAssignmentTasks(tx: Tx, assignmentId: number, taskIds: number[]): Promise<void> {
  await AssignmentTaskModel.query(tx).insert(
    taskIds.map((taskId) => ({ workspaceId: tx.workspaceId, assignmentId, taskId })),
  );
  await tx.raw(
    `update assignment_tasks child set parent_id = parent.id
     from workflow_tasks task, assignment_tasks parent
     where child.assignment_id = ? and task.id = child.task_id and task.parent_id is not null
       and parent.assignment_id = child.assignment_id and parent.task_id = task.parent_id`,
    [assignmentId],
  );
}

export async function listAssignmentTasks(tx: Tx, assignmentIds: number[]): Promise<AssignmentTaskRow[]> {
  return AssignmentTaskModel.query(tx).whereIn('assignment_id', assignmentIds).orderBy('id');
}

export async function findAssignmentTask(
  tx: Tx,
  assignmentTaskId: number,
): Promise<AssignmentTaskRow | undefined> {
  return AssignmentTaskModel.query(tx).findById(assignmentTaskId);
}

export async function updateAssignmentTask(
  tx: Tx,
  assignmentTaskId: number,
  changes: Partial<AssignmentTaskRow>,
): Promise<AssignmentTaskRow> {
  return patchRow(AssignmentTaskModel, tx, assignmentTaskId, changes);
}

export async function insertVisit(
  tx: Tx,
  visit: Omit<AssignmentTaskVisitRow, 'id' | 'workspaceId' | 'createdAt'>,
): Promise<void> {
  await AssignmentTaskVisitModel.query(tx).insert({ ...visit, workspaceId: tx.workspaceId });
}

export async function findVisitByRequest(
  tx: Tx,
  requestUuid: string,
): Promise<AssignmentTaskVisitRow | undefined> {
  return AssignmentTaskVisitModel.query(tx).findOne({ request_uuid: requestUuid });
}
