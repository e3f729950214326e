import type { Static } from 'typebox';
import type { ListedGrant } from '../../../../db/identity/oauth-grants.js';
import type { ConnectedApplicationResponse } from './schemas.js';

export function presentConnection(grant: ListedGrant): Static<typeof ConnectedApplicationResponse> {
  const { uuid, clientId, clientName, workspaceUuid, workspaceName, scopes, resource } = grant;
  return {
    uuid,
    clientId,
    clientName,
    workspaceUuid,
    workspaceName,
    scopes,
    resource,
    createdAt: grant.createdAt.toISOString(),
    lastUsedAt: grant.lastUsedAt?.toISOString() ?? null,
    expiresAt: grant.expiresAt.toISOString(),
  };
}
