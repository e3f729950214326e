import type { WorkspaceRow } from '../../db/identity/workspaces.js';
import { violatedConstraint } from '../../db/violated-constraint.js';
import type { CommandContext } from '../context.js';
import { NotFound } from '../errors.js';
import { checkWorkspaceAttributes, slugTaken, type WorkspaceAttributes } from './workspace-attributes.js';

/** Changes the workspace; what is left out stays. @throws Forbidden, InvalidInput */
export async function updateWorkspace(
  { db, clock, actor }: CommandContext,
  input: WorkspaceAttributes,
): Promise<WorkspaceRow> {
  actor.require('workspace:write');
  const changes = { ...checkWorkspaceAttributes(input), updatedAt: clock.now() };
  try {
    const updated = await db.identity.workspaces.update(actor.workspaceId, changes);
    if (updated === undefined) throw new NotFound('Workspace');
    return updated;
  } catch (error) {
    if (violatedConstraint(error) === 'workspaces_slug_key') throw slugTaken();
    throw error;
  }
}
