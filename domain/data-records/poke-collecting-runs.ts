import type { Tx } from '../../db/database.js';
import { listCollectingAssignments } from '../../db/queries/assignments.js';
import { pokeAssignmentRun } from '../runs.js';

/** Runs that collect something from these members may be waiting for just these values, whoever wrote them. */
export async function pokeCollectingRuns(tx: Tx, memberIds: readonly number[]): Promise<void> {
  const assignments = await listCollectingAssignments(tx, memberIds);
  await Promise.all(assignments.map((assignment) => pokeAssignmentRun(tx, assignment)));
}
