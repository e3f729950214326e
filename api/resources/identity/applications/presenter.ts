import type { Static } from 'typebox';
import type { OAuthClientRow } from '../../../../db/identity/models/oauth-client.js';
import type { ApplicationResponse } from './schemas.js';

export function presentApplication(application: OAuthClientRow): Static<typeof ApplicationResponse> {
  const { uuid, clientId, name, serverUrl, redirectUris, scopes, secretHash, secretHint } = application;
  return {
    uuid,
    clientId,
    name,
    serverUrl,
    redirectUris,
    scopes,
    confidential: secretHash !== null,
    secretHint,
    createdAt: application.createdAt.toISOString(),
    updatedAt: application.updatedAt.toISOString(),
    lastUsedAt: application.lastUsedAt?.toISOString() ?? null,
  };
}
