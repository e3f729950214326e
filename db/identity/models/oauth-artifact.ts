import { column, identityTable, json, unread } from '../../lib/table.js';

/** What the authorization server stores by the hash of an id that only the holder knows. */
export class OAuthArtifactModel extends identityTable('oauth_artifacts', {
  id: column<number>(),
  /** `AuthorizationCode`, `RefreshToken`, `Session`, `Interaction`, … */
  model: column<string>('code'),
  grantId: column<string | null>('id'),
  accountId: column<number | null>(),
  payload: json<Record<string, unknown>>('counts'),
  consumedAt: column<Date | null>(),
  expiresAt: column<Date>(),
  hash: unread<Buffer>('digest'),
  uidHash: unread<Buffer | null>('digest'),
}) {}

/** The answer to a use of a refresh token, for clients that lose it. */
export class OAuthReplayModel extends identityTable('oauth_replays', {
  id: column<number>(),
  clientId: column<string>('id'),
  grantId: column<string>('id'),
  answer: column<Buffer>('encrypted'),
  expiresAt: column<Date>(),
  hash: unread<Buffer>('digest'),
}) {}
