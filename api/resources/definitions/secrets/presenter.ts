import type { SecretRow } from '../../../../db/definitions/secrets.js';
import type { SecretResponse } from './schemas.js';

export function presentSecret(secret: SecretRow): SecretResponse {
  const { id, uuid, name, hosts, valueChangedAt, refusedAt, createdAt, updatedAt } = secret;
  return {
    id,
    uuid,
    name,
    hosts,
    valueChangedAt: valueChangedAt.toISOString(),
    refusedAt: refusedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
