import type { WorkflowTaskRow } from '../../../db/definitions/workflow-tasks.js';
import type { TaskNode, TaskType } from '../../definitions/task-tree/types.js';

/** A stored task as the pure rules see it: the database has checked its type. */
export function toTaskNode(row: WorkflowTaskRow): TaskNode {
  return { ...row, taskType: row.taskType as TaskType };
}
