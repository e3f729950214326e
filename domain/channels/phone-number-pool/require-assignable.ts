import type { Database } from '../../../db/database.js';
import { InvalidInput } from '../../lib/errors.js';

/** Returns the id of the workspace to assign a number to; null for none. @throws InvalidInput */
export async function requireAssignable(
  db: Database,
  workspaceUuid: string | null | undefined,
): Promise<number | null> {
  if (workspaceUuid === null || workspaceUuid === undefined) return null;
  const workspace = await db.identity.workspaces.findByUuid(workspaceUuid);
  if (workspace === undefined) throw InvalidInput.field('/workspaceUuid', 'There is no such workspace.');
  return workspace.id;
}
