import { workspaceIsHeld } from '../definitions/workspace-holds.js';
import { queryInIndexOrderPrepared } from '../lib/index-order.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import type { AssignmentRow } from './models/assignment.js';
import { HeldAssignmentModel } from './models/held-assignment.js';

/** Whether an assignment is active and its definition, or the workspace, held. */
export async function isAssignmentHeld(tx: Tx, assignmentId: number): Promise<boolean> {
  const found = await prepared(
    tx,
    `select 1 from assignments a join workflow_definitions d on d.id = a.definition_id
     where a.id = ? and a.status = 'active' and (d.held_at is not null or ${workspaceIsHeld})`,
    [assignmentId],
  );
  return found.length > 0;
}

/** Notes, once, that the run of an assignment has to be poked after the resumption of its definition. */
export async function insertHeldAssignment(
  tx: Tx,
  { id, definitionId }: Pick<AssignmentRow, 'id' | 'definitionId'>,
): Promise<void> {
  await HeldAssignmentModel.insertOnce(tx, { definitionId, assignmentId: id }, ['assignmentId']);
}

/** Removes the notes of up to `limit` assignments of a definition. @returns their ids */
export async function removeHeldAssignments(tx: Tx, definitionId: number, limit: number): Promise<number[]> {
  const removed = await queryInIndexOrderPrepared<{ assignmentId: number }>(tx, {
    text: `delete from held_assignments where id in (
       select id from held_assignments where definition_id = ? limit ? for update
     ) returning assignment_id as "assignmentId"`,
    bindings: [definitionId, limit],
  });
  return removed.map(({ assignmentId }) => assignmentId);
}

/** A definition that is not held any more, with assignments whose runs have not been poked yet. */
export interface UnwokenDefinition {
  id: number;
  uuid: string;
}

/** Lists such definitions in order of id. */
export async function selectUnwokenDefinitions(
  tx: Tx,
  afterId: number,
  limit: number,
): Promise<UnwokenDefinition[]> {
  return queryInIndexOrderPrepared(tx, {
    text: `select d.id, d.uuid from workflow_definitions d
     where d.held_at is null and d.id > ?
       and (select true from held_assignments h where h.definition_id = d.id limit 1)
     order by d.id limit ?`,
    bindings: [afterId, limit],
  });
}
