import { column, identityTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class MemberTokenModel extends identityTable('member_tokens', {
  id: column<number>(),
  workspaceId: column<number>(),
  memberId: column<number>(),
  /** All permissions of the member's role when the token was created. */
  roleGrants: column<string[] | null>('codes'),
  /** The permissions of these that the token grants. */
  granted: column<string[] | null>('codes'),
  /** The API key that created the token: revoking it ends the token. Null where a person created the token. */
  apiKeyId: column<number | null>(),
  /** Since when records that are written are kept from it. */
  sealedAt: column<Date | null>(),
  expiresAt: column<Date>(),
  usedAt: column<Date | null>(),
  createdAt: column<Date>(),
  /** SHA-256 of the whole token. */
  hash: unread<Buffer>('digest'),
}) {}

export type MemberTokenRow = RowOf<MemberTokenModel>;
