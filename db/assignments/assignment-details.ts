import type { TaskType } from '../../domain/definitions/task-tree/task-types.js';
import { WorkflowDefinitionModel } from '../definitions/models/workflow-definition.js';
import { idCondition } from '../lib/id-condition.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import type { AssignmentTaskRow } from './models/assignment-task.js';

/** What an assignment is of, and what it waits for as far as rows tell. */
export interface AssignmentDetails {
  assignmentId: number;
  memberName: string | null;
  workflowName: string;
  workflowUuid: string;
  revisionUuid: string;
  revisionNumber: number;
  revisionName: string;
  /** Of the current task. */
  taskType: TaskType | null;
  since: Date | null;
  dueAt: Date | null;
  /** Of the chat. */
  standingReason: string | null;
  paused: boolean;
  archived: boolean;
}

/** Returns the details of several assignments in one query. */
export async function detailsOfAssignments(tx: Tx, ids: readonly number[]): Promise<AssignmentDetails[]> {
  const { condition, binding } = idCondition('a.id', ids);
  return prepared(
    tx,
    `select a.id as "assignmentId", d.name as "workflowName", d.uuid as "workflowUuid",
       r.uuid as "revisionUuid", r.number as "revisionNumber", r.name as "revisionName",
       m.name as "memberName", w.task_type as "taskType", t.visited_at as since, t.due_at as "dueAt",
       c.standing_reason as "standingReason", c.paused, c.archived
     from assignments a
     join workflow_definitions d on d.id = a.definition_id
     join workflow_revisions r on r.id = a.revision_id
     join members m on m.id = a.member_id
     join chats c on c.id = a.chat_id
     left join assignment_tasks t on t.id = a.current_task_id
     left join workflow_tasks w on w.id = t.task_id
     where ${condition}`,
    [binding],
  );
}

/** Returns the name of an assignment's workflow definition; undefined where there is no such assignment. */
export async function definitionNameOfAssignment(tx: Tx, assignmentId: number): Promise<string | undefined> {
  const ofAssignment = 'id = (select definition_id from assignments where id = ?)';
  const [found] = await WorkflowDefinitionModel.pick(tx, ['name'], ofAssignment, [assignmentId]);
  return found?.name;
}

/** A task of an assignment, with the data of its definition's task. */
export interface AssignmentTaskDetails
  extends Pick<AssignmentTaskRow, 'id' | 'uuid' | 'assignmentId' | 'parentId' | 'visitedAt' | 'taskId'> {
  taskUuid: string;
  taskName: string;
  required: boolean;
  autoNext: boolean;
}

/** Returns all tasks of several assignments in one query: parents before their children, siblings in their order. */
export async function tasksOfAssignments(tx: Tx, ids: readonly number[]): Promise<AssignmentTaskDetails[]> {
  const { condition, binding } = idCondition('t.assignment_id', ids);
  // The tasks of a revision are inserted level by level, siblings in order, so their ids are in that order.
  return prepared(
    tx,
    `select t.id, t.uuid, t.assignment_id as "assignmentId", t.parent_id as "parentId",
       t.visited_at as "visitedAt", w.id as "taskId", w.uuid as "taskUuid", w.name as "taskName",
       w.required, w.auto_next as "autoNext"
     from assignment_tasks t join workflow_tasks w on w.id = t.task_id
     where ${condition} order by w.id, t.id`,
    [binding],
  );
}
