import { column, identityTable, json, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class OAuthAccessTokenModel extends identityTable('oauth_access_tokens', {
  id: column<number>(),
  grantId: column<string>('id'),
  clientId: column<string>('id'),
  scopes: column<readonly string[]>('codes'),
  resource: column<string>('code'),
  /** What the authorization server gave it. */
  payload: json<object>('counts'),
  expiresAt: column<Date>(),
  hash: unread<Buffer>('digest'),
}) {}

export type OAuthAccessTokenRow = RowOf<OAuthAccessTokenModel>;
