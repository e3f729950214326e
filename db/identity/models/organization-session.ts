import { column, identityTable, unread } from '../../lib/table.js';

/** What a session of a browser has joined an organization with. */
export class OrganizationSessionModel extends identityTable('organization_sessions', {
  id: column<number>(),
  organizationId: column<number>(),
  sessionId: column<number>(),
  accountId: column<number>(),
  bySso: column<boolean>(),
  createdAt: column<Date>(),
  expiresAt: column<Date>(),
  endedAt: column<Date | null>(),
  hash: unread<Buffer>('digest'),
}) {}
