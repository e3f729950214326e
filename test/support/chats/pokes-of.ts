import type { TestWorkspace } from '../workspace/factories.js';
import type { StagedAssignment } from './staged-assignment.js';

/** How many pokes wait in the outbox for the run of an assignment. */
export async function pokesOf(
  { database, workspaceId }: TestWorkspace,
  staged: StagedAssignment,
): Promise<number> {
  const { uuid } = await staged.assignment();
  const found = await database.inWorkspace(workspaceId, (tx) =>
    tx('outbox').where({ subject: uuid, action: 'poke' }),
  );
  return found.length;
}
