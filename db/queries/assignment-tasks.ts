import type { Tx } from '../database.js';
import { AssignmentTaskModel, type AssignmentTaskRow } from '../models/assignment-task.js';
import { AssignmentTaskVisitModel, type AssignmentTaskVisitRow } from '../models/assignment-task-visit.js';
import { insertRow, patchRow, selectRow, selectRows } from '../models/rows.js';
import { prepared } from '../statement.js';

export type { AssignmentTaskRow } from '../models/assignment-task.js';
export type { AssignmentTaskVisitRow, EnteredBy } from '../models/assignment-task-visit.js';

/** Creates the rows of a whole tree, tied to their parents as the definition does, and returns them. */
export async function insertAssignmentTasks(
  tx: Tx,
  assignmentId: number,
  taskIds: number[],
): Promise<AssignmentTaskRow[]> {
  // They are carried out in this order.
  const inserted = prepared(
    tx,
    `insert into assignment_tasks (workspace_id, assignment_id, task_id) select ?, ?, unnest(?::bigint[])`,
    [tx.workspaceId, assignmentId, taskIds],
  );
  const tied = prepared(
    tx,
    `update assignment_tasks child set parent_id = parent.id
     from workflow_tasks task, assignment_tasks parent
     where child.assignment_id = ? and task.id = child.task_id and task.parent_id is not null
       and parent.assignment_id = child.assignment_id and parent.task_id = task.parent_id`,
    [assignmentId],
  );
  const [rows] = await Promise.all([listAssignmentTasks(tx, assignmentId), inserted, tied]);
  return rows;
}

export async function listAssignmentTasks(tx: Tx, assignmentId: number): Promise<AssignmentTaskRow[]> {
  return selectRows(AssignmentTaskModel, tx, 'assignment_id = ? order by id', [assignmentId]);
}

export async function findAssignmentTask(
  tx: Tx,
  assignmentTaskId: number,
): Promise<AssignmentTaskRow | undefined> {
  return selectRow(AssignmentTaskModel, tx, 'id = ?', [assignmentTaskId]);
}

export async function updateAssignmentTask(
  tx: Tx,
  assignmentTaskId: number,
  changes: Partial<AssignmentTaskRow>,
): Promise<AssignmentTaskRow> {
  return patchRow(AssignmentTaskModel, tx, assignmentTaskId, changes);
}

/**
 * Marks a task as entered, after whatever was said in the chat before, and not completed, due or sent any more.
 * @returns what it was entered after
 */
export async function markTaskEntered(
  tx: Tx,
  assignmentTaskId: number,
  { at, chatId }: { at: Date; chatId: number },
): Promise<Pick<AssignmentTaskRow, 'enteredAfterMessageId'>> {
  const [entered] = await prepared<Pick<AssignmentTaskRow, 'enteredAfterMessageId'>>(
    tx,
    `update assignment_tasks
     set visited_at = ?, completed_at = null, due_at = null, message_id = null, entered_after_message_id = coalesce(
       (select id from messages where chat_id = ? and sub_conversation_of is null order by id desc limit 1), 0)
     where id = ?
     returning entered_after_message_id as "enteredAfterMessageId"`,
    [at, chatId, assignmentTaskId],
  );
  if (entered === undefined) throw new Error(`there is no task ${assignmentTaskId} of an assignment`);
  return entered;
}

export async function insertVisit(
  tx: Tx,
  visit: Omit<AssignmentTaskVisitRow, 'id' | 'workspaceId' | 'createdAt'>,
): Promise<void> {
  await insertRow(AssignmentTaskVisitModel, tx, visit);
}

export async function findVisitByRequest(
  tx: Tx,
  requestUuid: string,
): Promise<AssignmentTaskVisitRow | undefined> {
  return selectRow(AssignmentTaskVisitModel, tx, 'request_uuid = ?', [requestUuid]);
}
