import type { AssignmentView } from '../../../../domain/assignments/assignment-view.js';
import type { CurrentTask, PlacedTask } from '../../../../domain/assignments/inspect-assignment.js';
import type { CelContext } from '../../../../domain/lib/cel.js';
import { omitNullish } from '../../../http/omit-nullish.js';
import { presentAbility } from '../../definitions/workflow-revisions/presenter.js';
import { presentFileFor } from '../../files/files/presenter.js';
import { presentDataRecord } from '../../records/data-records/presenter.js';
import { presentPageOfAssignment } from '../../sites/pages/presenter.js';
import { presentAssignmentTask } from '../assignment-tasks/presenter.js';
import type {
  AssignmentResponse,
  CelContextResponse,
  OperatorChildTaskDetail,
  OperatorTaskDetailResponse,
} from './schemas.js';

export function presentAssignment(
  request: Parameters<typeof presentFileFor>[0],
  assignment: AssignmentView,
): AssignmentResponse {
  const { workflow, rootTask, currentTask } = assignment;
  return {
    id: assignment.id,
    uuid: assignment.uuid,
    memberId: assignment.memberId,
    createdAt: assignment.createdAt.toISOString(),
    updatedAt: assignment.updatedAt.toISOString(),
    isTest: assignment.isTest,
    files: assignment.files.map((file) => presentFileFor(request, file)),
    ...(assignment.filesAreCut ? { filesAreCut: true } : {}),
    workflowId: assignment.definitionId,
    status: assignment.status,
    ...omitNullish({
      taskId: currentTask?.taskId,
      taskName: currentTask?.taskName,
      outcome: assignment.outcome,
      outcomeReason: assignment.outcomeReason,
      concludedAt: assignment.concludedAt?.toISOString(),
      rootTask: rootTask && presentAssignmentTask(rootTask),
      currentTask: currentTask && presentAssignmentTask(currentTask),
    }),
    dataRecords: assignment.dataRecords.map(presentDataRecord),
    ...(assignment.dataRecordsAreCut ? { dataRecordsAreCut: true } : {}),
    pages: assignment.pages.map((page) => presentPageOfAssignment(request.services, page)),
    ...(assignment.pagesAreCut ? { pagesAreCut: true } : {}),
    workflowName: workflow.workflowName,
    workflowUuid: workflow.workflowUuid,
    workflowRevisionId: assignment.revisionId,
    workflowRevisionUuid: workflow.revisionUuid,
    workflowRevisionNumber: workflow.revisionNumber,
    workflowRevisionName: workflow.revisionName,
  };
}

export function presentCelContext({
  member: { id, name, locale, labels },
  assignment,
  chat,
  tasks,
  call,
  now,
}: CelContext): CelContextResponse {
  return {
    member: { id, name, locale, labels: [...labels], form_data: {}, data: {} },
    assignment: asJson(assignment),
    chat: asJson(chat),
    tasks: {
      visited: [...tasks.visited],
      completed: [...tasks.completed],
      timed_out: [...tasks.timed_out],
      current: tasks.current,
    },
    call: asJson(call),
    now: now.toISOString(),
  };
}

export function presentCurrentTask(current: CurrentTask): OperatorTaskDetailResponse {
  const { task, row, parent } = current;
  return {
    assignmentId: current.assignmentId,
    assignmentTaskId: row.id,
    taskId: task.id,
    taskName: task.name,
    taskType: task.taskType,
    ...omitNullish({
      prompt: task.prompt,
      renderedPrompt: current.renderedPrompt,
      shortPrompt: task.shortPrompt,
      description: task.description,
      celGuard: task.celGuard,
    }),
    state: current.state,
    configuration: task.configuration,
    abilities: task.abilities.map(presentAbility),
    inheritedAbilities: current.inheritedAbilities.map(presentAbility),
    childTasks: current.children.map(presentChild),
    ...omitNullish({
      parentAssignmentTaskId: parent?.row.id,
      parentTaskName: parent?.task.name,
      parentShortPrompt: parent?.task.shortPrompt,
      dueAt: row.dueAt?.toISOString(),
    }),
  };
}

function presentChild({ task, row }: PlacedTask): OperatorChildTaskDetail {
  return {
    assignmentTaskId: row.id,
    taskId: task.id,
    taskName: task.name,
    taskUuid: task.uuid,
    taskType: task.taskType,
    ...omitNullish({
      shortPrompt: task.shortPrompt,
      choicePrompt: task.choicePrompt,
      celGuard: task.celGuard,
      celCondition: task.celCondition,
    }),
    autoNext: task.autoNext,
    required: task.required,
    order: task.order,
    ...omitNullish({ visitedAt: row.visitedAt?.toISOString() }),
  };
}

function asJson(values: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(values)) as Record<string, unknown>;
}
