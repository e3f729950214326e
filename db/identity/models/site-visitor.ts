import { column, identityTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class SiteVisitorModel extends identityTable('site_visitors', {
  id: column<number>(),
  workspaceId: column<number>(),
  siteId: column<number>(),
  /** Null before the first message. */
  memberId: column<number | null>(),
  /** The chat that the visitor writes in. */
  chatId: column<number | null>(),
  /** Of a visitor who has signed up. */
  sessionId: column<number | null>(),
  createdAt: column<Date>(),
  lastUsedAt: column<Date>(),
  expiresAt: column<Date>(),
  endedAt: column<Date | null>(),
  /** SHA-256 of the token. */
  hash: unread<Buffer>('digest'),
}) {}

export type SiteVisitorRow = RowOf<SiteVisitorModel>;
