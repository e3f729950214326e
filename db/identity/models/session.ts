import { column, identityTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class SessionModel extends identityTable('sessions', {
  id: column<number>(),
  uuid: column<string>(),
  accountId: column<number | null>(),
  workspaceId: column<number | null>(),
  memberId: column<number | null>(),
  /** The organization whose identity provider has begun it, and in which alone it is good; null: it began otherwise. */
  organizationId: column<number | null>(),
  /** Of a member's session: the role's permissions at its token's creation, and those that the token grants. */
  roleGrants: column<string[] | null>('codes'),
  granted: column<string[] | null>('codes'),
  /** Of a member's session: since when records that are written are kept from it. */
  sealedAt: column<Date | null>(),
  userAgent: column<string | null>('personal'),
  createdAt: column<Date>(),
  lastUsedAt: column<Date>(),
  /** When it ends, however often it is used. */
  expiresAt: column<Date>(),
  endedAt: column<Date | null>(),
  /** SHA-256 of the token in the cookie. */
  hash: unread<Buffer>('digest'),
  /** The API key that created the token: revoking it ends the session. */
  apiKeyId: unread<number | null>(),
}) {}

export type SessionRow = RowOf<SessionModel>;
