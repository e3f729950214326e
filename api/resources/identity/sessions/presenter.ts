import type { Static } from 'typebox';
import type { SessionRow } from '../../../../db/identity/models/session.js';
import { endOf } from '../../../../domain/identity/sessions/session-lifetime.js';
import type { SessionResponse } from './schemas.js';

export function presentSession(
  session: SessionRow,
  currentSessionId: number | null,
): Static<typeof SessionResponse> {
  const { id, uuid, workspaceId, memberId, userAgent, createdAt, lastUsedAt } = session;
  return {
    uuid,
    current: id === currentSessionId,
    workspaceId,
    memberId,
    userAgent,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: endOf({ ...session, ofMember: memberId !== null }).toISOString(),
  };
}
