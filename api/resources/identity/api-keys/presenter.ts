import type { Static } from 'typebox';
import type { ApiKeyRow } from '../../../../db/identity/models/api-key.js';
import type { ApiKeyResponse } from './schemas.js';

export function presentApiKey(key: ApiKeyRow): Static<typeof ApiKeyResponse> {
  const { accountId: _, expiresAt, lastUsedAt, revokedAt, createdAt, ...rest } = key;
  return {
    ...rest,
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
