import type { Tx } from '../../db/database.js';
import { listCollectingAssignments } from '../../db/queries/assignments.js';
import { pokeAssignmentRun } from '../runs.js';

/** Runs that collect something from this member may be waiting for just these values, whoever wrote them. */
export async function pokeCollectingRuns(tx: Tx, memberId: number): Promise<void> {
  for (const assignment of await listCollectingAssignments(tx, memberId)) {
    await pokeAssignmentRun(tx, assignment);
  }
}
