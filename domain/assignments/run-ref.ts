import type { AssignmentRow } from '../../db/assignments/assignments.js';
import type { Actor } from '../kernel/actor.js';
import type { AssignmentRunRef } from './assignment-runs.js';

export function runRefOf(actor: Actor, assignment: AssignmentRow, definitionName: string): AssignmentRunRef {
  return {
    workspaceId: actor.workspaceId,
    workspaceUuid: actor.workspaceUuid,
    assignmentId: assignment.id,
    assignmentUuid: assignment.uuid,
    chatId: assignment.chatId,
    memberId: assignment.memberId,
    definitionName,
  };
}
