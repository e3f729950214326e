import { column, identityTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** Who ended a grant: the person, the client, a token that was used twice, or the end of the application. */
export type GrantRevoker = 'person' | 'client' | 'reuse' | 'application';

/** What a person has consented to. */
export class OAuthGrantModel extends identityTable('oauth_grants', {
  id: column<number>(),
  uuid: column<string>(),
  /** By which codes and tokens refer to the grant. It is no secret. */
  grantId: column<string>('id'),
  accountId: column<number>(),
  workspaceId: column<number>(),
  clientId: column<string>('id'),
  /** What the person read when it consented. */
  clientName: column<string>('personal'),
  scopes: column<string[]>('codes'),
  resource: column<string>('code'),
  createdAt: column<Date>(),
  expiresAt: column<Date>(),
  lastUsedAt: column<Date | null>(),
  revokedAt: column<Date | null>(),
  revokedBy: column<GrantRevoker | null>('code'),
}) {}

export type OAuthGrantRow = RowOf<OAuthGrantModel>;
