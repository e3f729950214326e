import { column, identityTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class ApiKeyModel extends identityTable('api_keys', {
  id: column<number>(),
  uuid: column<string>(),
  accountId: column<number>(),
  /** The one workspace that the key is valid for; null when it is valid for all of the account's. */
  workspaceId: column<number | null>(),
  parentId: column<number | null>(),
  name: column<string>('personal'),
  prefix: column<string>('token'),
  scopes: column<string[]>('codes'),
  expiresAt: column<Date | null>(),
  lastUsedAt: column<Date | null>(),
  revokedAt: column<Date | null>(),
  createdAt: column<Date>(),
  /** SHA-256 of the whole key. */
  hash: unread<Buffer>('digest'),
  /** Until when the key is not forgotten after its end; null: nothing needs it. */
  neededUntil: unread<Date | null>(),
}) {}

export type ApiKeyRow = RowOf<ApiKeyModel>;
