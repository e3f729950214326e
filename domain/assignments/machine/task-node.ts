import type { WorkflowTaskRow } from '../../../db/definitions/workflow-tasks.js';
import type { TaskNode, TaskType } from '../../definitions/task-tree/types.js';

/** Converts a stored task to the form of the pure rules. A database constraint guarantees a valid type. */
export function toTaskNode(row: WorkflowTaskRow): TaskNode {
  return { ...row, taskType: row.taskType as TaskType };
}
