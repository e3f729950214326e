import type { AssignmentView } from '../../../../domain/assignments/assignment-view.js';
import type { CurrentTask } from '../../../../domain/assignments/inspect-assignment.js';
import type { Actor } from '../../../../domain/kernel/actor.js';
import type { CelContext } from '../../../../domain/lib/cel.js';
import { presentFileFor } from '../../files/files/presenter.js';
import { presentDataRecord } from '../../records/data-records/presenter.js';
import { presentPageOfAssignment } from '../../sites/pages/presenter.js';
import type { AssignmentResponse, CelContextResponse, OperatorTaskDetailResponse } from './schemas.js';

export function presentAssignment(
  request: Parameters<typeof presentFileFor>[0],
  assignment: AssignmentView,
): AssignmentResponse {
  const { details, currentTask } = assignment;
  const { actor } = request.context;
  const isColleague = actor.can('assignments:read');
  return {
    ...assignment,
    files: assignment.files.map((file) => presentFileFor(request, file)),
    filesAreCut: assignment.filesAreCut || undefined,
    memberName: mayNameMember(actor, assignment) ? details.memberName : undefined,
    waits: isColleague && assignment.status === 'active' ? waitsOf(details) : undefined,
    runUrl: actor.can('workspace:write') ? request.services.runUrlOf?.(assignment.uuid) : undefined,
    taskId: currentTask?.taskId,
    taskName: currentTask?.taskName,
    dataRecords: assignment.dataRecords.map(presentDataRecord),
    dataRecordsAreCut: assignment.dataRecordsAreCut || undefined,
    pages: assignment.pages.map((page) => presentPageOfAssignment(request.services, page)),
    pagesAreCut: assignment.pagesAreCut || undefined,
    workflowId: assignment.definitionId,
    workflowName: details.workflowName,
    workflowUuid: details.workflowUuid,
    workflowRevisionId: assignment.revisionId,
    workflowRevisionUuid: details.revisionUuid,
    workflowRevisionNumber: details.revisionNumber,
    workflowRevisionName: details.revisionName,
  };
}

function mayNameMember(actor: Actor, { memberId }: AssignmentView): boolean {
  return memberId === actor.memberId || actor.can('members:read');
}

function waitsOf({ taskType, since, dueAt, standingReason, paused, archived }: AssignmentView['details']) {
  return { taskType, since, until: dueAt, standingReason, paused, archived };
}

export function presentCelContext({
  member,
  assignment,
  chat,
  tasks,
  call,
  now,
}: CelContext): CelContextResponse {
  const { id, name, locale, labels } = member;
  return {
    member: { id, name, locale, labels: [...labels], form_data: {}, data: {} },
    assignment: { ...assignment },
    chat: { ...chat },
    tasks: {
      visited: [...tasks.visited],
      completed: [...tasks.completed],
      timed_out: [...tasks.timed_out],
      current: tasks.current,
    },
    call: { ...call },
    now,
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
    prompt: task.prompt,
    renderedPrompt: current.renderedPrompt,
    shortPrompt: task.shortPrompt,
    description: task.description,
    configuration: task.configuration,
    celGuard: task.celGuard,
    abilities: task.abilities,
    inheritedAbilities: current.inheritedAbilities,
    childTasks: current.children.map(presentChild),
    parentAssignmentTaskId: parent?.row.id,
    parentTaskName: parent?.task.name,
    parentShortPrompt: parent?.task.shortPrompt,
    state: current.state,
    dueAt: row.dueAt,
  };
}

function presentChild({ task, row, passedBy }: CurrentTask['children'][number]) {
  const { id: taskId, name: taskName, uuid: taskUuid } = task;
  const notOffered = passedBy && { rule: passedBy.rule, taskName: passedBy.of.name };
  return {
    ...task,
    assignmentTaskId: row.id,
    taskId,
    taskName,
    taskUuid,
    visitedAt: row.visitedAt,
    notOffered,
  };
}
