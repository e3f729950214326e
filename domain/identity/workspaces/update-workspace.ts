import type { WorkspaceRow } from '../../../db/identity/workspaces.js';
import { violatedConstraint } from '../../../db/violated-constraint.js';
import type { CommandContext } from '../../kernel/context.js';
import type { InstallationPolicy } from '../../kernel/installation-policy.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { originErrors } from './allowed-origins.js';
import { checkWorkspaceAttributes, slugTaken, type WorkspaceAttributes } from './workspace-attributes.js';

export type UpdateWorkspace = WorkspaceAttributes & {
  /** Origins of web pages that may read responses of the workspace; replaces the previous list. */
  allowedOrigins?: string[];
};

/** Changes the workspace; fields that are left out stay unchanged. @throws Forbidden, InvalidInput */
export async function updateWorkspace(
  { db, clock, actor, policy }: CommandContext & { policy: Pick<InstallationPolicy, 'localHttpOrigins'> },
  input: UpdateWorkspace,
): Promise<WorkspaceRow> {
  actor.require('workspace:write');
  const errors = originErrors(input.allowedOrigins ?? [], { localHttp: policy.localHttpOrigins });
  if (errors.length > 0) throw InvalidInput.fields(errors);
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
