import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { AssignmentTaskModel, type AssignmentTaskRow } from './models/assignment-task.js';

export type { AssignmentTaskRow, WaitEnd } from './models/assignment-task.js';

const insertion = `with task as materialized (
     select id as task_id, parent_id,
       case when parent_id is null then ?::bigint else nextval('assignment_tasks_id_seq') end as id
     from workflow_tasks where revision_id = ? order by workflow_tasks.id
   )
   insert into assignment_tasks
     (id, workspace_id, assignment_id, task_id, parent_id, visited_at, entered_after_message_id)
   overriding system value
   select task.id, ?, ?, task.task_id, parent.id,
     case when parent.id is null then ?::timestamptz end, case when parent.id is null then 0 end
   from task left join task as parent on parent.task_id = task.parent_id order by task.task_id
   returning ${AssignmentTaskModel.columns}`;

/**
 * Inserts the tasks of a new assignment, in the order of its revision's; the root as entered, in an empty chat, unless
 * `enteredAt` is null.
 */
export async function insertAssignmentTasks(
  tx: Tx,
  assignment: { id: number; revisionId: number; rootId: number },
  enteredAt: Date | null,
): Promise<AssignmentTaskRow[]> {
  const { id, revisionId, rootId } = assignment;
  return prepared(tx, insertion, [rootId, revisionId, tx.workspaceId, id, enteredAt]);
}

export async function selectAssignmentTasks(tx: Tx, assignmentId: number): Promise<AssignmentTaskRow[]> {
  return AssignmentTaskModel.where(tx, 'assignment_id = ? order by id', [assignmentId]);
}

export async function findAssignmentTask(tx: Tx, id: number): Promise<AssignmentTaskRow | undefined> {
  return AssignmentTaskModel.find(tx, id);
}

export async function patchAssignmentTask(tx: Tx, id: number, changes: Partial<AssignmentTaskRow>) {
  return AssignmentTaskModel.patch(tx, id, changes);
}

/**
 * Clears what the task has of an earlier visit: a collection gets a record of each visit, which has a higher id than
 * `event_mark`. @returns the message after which the task was entered, and the mark
 */
export async function markTaskEntered(
  tx: Tx,
  assignmentTaskId: number,
  { at, chatId }: { at: Date; chatId: number },
) {
  const [entered] = await prepared<Pick<AssignmentTaskRow, 'enteredAfterMessageId' | 'eventMark'>>(
    tx,
    `update assignment_tasks
     set visited_at = ?, completed_at = null, due_at = null, message_id = null, ended_by = null,
     event_mark = case when visited_at is not null then
       (select max(r.id) from data_records r
        where r.workspace_id = assignment_tasks.workspace_id and r.assignment_task_id = assignment_tasks.id) end,
     entered_after_message_id = coalesce(
       (select id from messages where chat_id = ? and sub_conversation_of is null order by id desc limit 1), 0)
     where id = ?
     returning entered_after_message_id as "enteredAfterMessageId", event_mark as "eventMark"`,
    [at, chatId, assignmentTaskId],
  );
  if (entered === undefined) throw new Error(`there is no task ${assignmentTaskId} of an assignment`);
  return entered;
}
