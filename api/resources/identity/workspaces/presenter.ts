import type { Static } from 'typebox';
import type { WorkspaceRow } from '../../../../db/identity/workspaces.js';
import type { WorkspaceResponse } from './schemas.js';

export function presentWorkspace(workspace: WorkspaceRow): Static<typeof WorkspaceResponse> {
  return {
    ...workspace,
    createdAt: workspace.createdAt.toISOString(),
    updatedAt: workspace.updatedAt.toISOString(),
  };
}
