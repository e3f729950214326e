import type { Database } from '../../../db/database.js';
import { InvalidInput } from '../../lib/errors.js';

/** The id of the workspace that a number is to be assigned to, if any. @throws InvalidInput */
export async function requireAssignable(
  db: Database,
  workspaceUuid: string | null | undefined,
): Promise<number | null> {
  if (workspaceUuid === null || workspaceUuid === undefined) return null;
  const workspace = await db.identity.workspaces.findByUuid(workspaceUuid);
  if (workspace === undefined) throw InvalidInput.field('/workspaceUuid', 'There is no such workspace.');
  return workspace.id;
}
