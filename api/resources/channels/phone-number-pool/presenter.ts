import type { PoolNumberRow } from '../../../../db/identity/phone-number-pool.js';
import type { PoolNumberResponse } from './schemas.js';

export function presentPoolNumber(row: PoolNumberRow): PoolNumberResponse {
  return {
    id: row.id,
    number: row.number,
    workspaceUuid: row.workspaceUuid,
    purpose: row.purpose,
    source: row.source,
    usedByWorkspaceUuid: row.usedByWorkspaceUuid,
    createdAt: row.createdAt.toISOString(),
  };
}
