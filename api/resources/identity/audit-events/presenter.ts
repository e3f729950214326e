import type { Static } from 'typebox';
import type { AuditEventRow } from '../../../../db/identity/models/audit-event.js';
import type { AuditEventResponse } from './schemas.js';

export function presentAuditEvent({ createdAt, ...event }: AuditEventRow): Static<typeof AuditEventResponse> {
  return { ...event, names: [...event.names], createdAt: createdAt.toISOString() };
}
