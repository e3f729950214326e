import type { WorkspaceRow } from '../../../db/identity/workspaces.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** The workspace of the actor. */
export async function getWorkspace({ db, actor }: CommandContext): Promise<WorkspaceRow> {
  const workspace = await db.identity.workspaces.findById(actor.workspaceId);
  if (workspace === undefined) throw new NotFound('Workspace');
  return workspace;
}
