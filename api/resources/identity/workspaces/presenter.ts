import type { Static } from 'typebox';
import type { WorkspaceRow } from '../../../../db/identity/workspaces.js';
import { needsResponseReasons } from '../../../../domain/kernel/call-person.js';
import type { WorkspaceResponse } from './schemas.js';

export function presentWorkspace(workspace: WorkspaceRow): Static<typeof WorkspaceResponse> {
  const { handoffNotices } = workspace;
  return {
    ...workspace,
    handoffNotices: handoffNotices && {
      ...handoffNotices,
      heldEmails: handoffNotices.heldEmails ?? false,
      reasons: needsResponseReasons.filter((reason) => handoffNotices.reasons.includes(reason)),
    },
    createdAt: workspace.createdAt.toISOString(),
    updatedAt: workspace.updatedAt.toISOString(),
  };
}
