import type { AssignmentRow } from '../../../db/assignments/assignments.js';
import type { CausedBy } from '../../../db/assignments/timeline-entries.js';
import type { EventAssignment, EventPayload } from './payloads.js';
import type { NewEvent } from './write-events.js';

/** The event for a new assignment. */
export function assignmentCreatedEvent(row: AssignmentRow): NewEvent {
  return { eventType: 'assignment:created', payload: { assignment: eventAssignmentOf(row) } };
}

/** The event for a task that an assignment has entered. */
export function taskEnteredEvent(
  row: AssignmentRow,
  { id, name, taskType }: { id: number; name: string; taskType: string },
  { assignmentTaskId, causedBy }: { assignmentTaskId: number; causedBy: CausedBy },
): NewEvent {
  const task: EventPayload<'assignment:task_entered'>['task'] = {
    id: assignmentTaskId,
    workflowTaskId: id,
    name,
    taskType,
  };
  const payload = { assignment: eventAssignmentOf(row), task, causedBy };
  return { eventType: 'assignment:task_entered', payload };
}

/** The event for an assignment that has ended: without the reason of its outcome, which are words about a person. */
export function assignmentConcludedEvent(row: AssignmentRow, causedBy: CausedBy): NewEvent {
  return { eventType: 'assignment:concluded', payload: { assignment: eventAssignmentOf(row), causedBy } };
}

function eventAssignmentOf(row: AssignmentRow): EventAssignment {
  return {
    id: row.id,
    uuid: row.uuid,
    memberId: row.memberId,
    workflowId: row.definitionId,
    workflowRevisionId: row.revisionId,
    chatId: row.chatId,
    status: row.status,
    outcome: row.outcome,
    isTest: row.isTest,
    createdByMemberId: row.createdByMemberId,
    createdAt: row.createdAt.toISOString(),
    concludedAt: row.concludedAt?.toISOString() ?? null,
  };
}
