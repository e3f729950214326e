import type { Tx } from '../../db/database.js';
import type { AssignmentRow } from '../../db/queries/assignments.js';
import { findDefinitionName } from '../../db/queries/workflow-definitions.js';
import type { Actor } from '../actor.js';
import type { AssignmentRunRef } from './assignment-runs.js';

/** The assignment's run, as the port to runs wants it. */
export async function runRefOf(tx: Tx, actor: Actor, assignment: AssignmentRow): Promise<AssignmentRunRef> {
  return {
    workspaceId: actor.workspaceId,
    workspaceUuid: actor.workspaceUuid,
    assignmentId: assignment.id,
    assignmentUuid: assignment.uuid,
    chatId: assignment.chatId,
    memberId: assignment.memberId,
    definitionName: await findDefinitionName(tx, assignment.definitionId),
  };
}
