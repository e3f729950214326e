import type { Tx } from '../../db/database.js';
import { findAssignment } from '../../db/queries/assignments.js';
import { assignmentOfTask } from '../../db/queries/data-records.js';
import { pokeAssignmentRun } from '../runs.js';

/** The run of the assignment that a record is collected for may be waiting for just these values. */
export async function pokeCollectingRun(tx: Tx, assignmentTaskId: number | null): Promise<void> {
  if (assignmentTaskId === null) return;
  const found = await assignmentOfTask(tx, assignmentTaskId);
  const assignment = found && (await findAssignment(tx, found.id));
  if (assignment?.status === 'active') await pokeAssignmentRun(tx, assignment);
}
