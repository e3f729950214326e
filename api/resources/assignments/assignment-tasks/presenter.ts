import type { AssignmentTaskView } from '../../../../domain/assignments/assignment-view.js';
import type { AssignmentTaskResponse } from './schemas.js';

export function presentAssignmentTask(task: AssignmentTaskView): AssignmentTaskResponse {
  return {
    id: task.id,
    uuid: task.uuid,
    required: task.required,
    autoNext: task.autoNext,
    taskId: task.taskId,
    workflowId: task.workflowId,
    taskName: task.taskName,
    taskUuid: task.taskUuid,
    visitedAt: task.visitedAt?.toISOString() ?? null,
    children: task.children.map(presentAssignmentTask),
  };
}
