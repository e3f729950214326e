import { prepared } from '../statement.js';
import { IdentityTable } from './identity-table.js';
import type { OAuthGrantRow } from './models/oauth-grant.js';
import type { StoredAccessToken } from './oauth-access-tokens.js';
import type { FoundArtifact, OAuthArtifact } from './oauth-artifacts.js';

/** What a grant lets a client do, and whether its person may still sign in. */
export type RefreshedGrant = Pick<
  OAuthGrantRow,
  'grantId' | 'accountId' | 'clientId' | 'scopes' | 'resource' | 'createdAt' | 'expiresAt' | 'revokedAt'
> & { accountEnabled: boolean };

/** What a refresh needs to know; each is undefined where there is none. */
export interface FoundRefresh {
  token: FoundArtifact | undefined;
  grant: RefreshedGrant | undefined;
  /** The encrypted answer to an earlier use of the token by the same client, while its grant is in force. */
  answer: Buffer | undefined;
}

/** What one use of a refresh token changes. */
export interface RefreshChanges {
  /** Of the token that is used, and the client that uses it. */
  hash: Buffer;
  clientId: string;
  usedAt: Date;
  successor: OAuthArtifact;
  accessToken: StoredAccessToken;
  /** Encrypted, for clients that lose it. */
  answer: Buffer;
  answerExpiresAt: Date;
}

interface FoundRow extends RefreshedGrant {
  payload: FoundArtifact['payload'] | null;
  consumedAt: Date | null;
  grantId: string;
  answer: Buffer | null;
  isGranted: boolean;
}

const artifacts = 'identity.oauth_artifacts';
const replays = 'identity.oauth_replays';

/** Uses of refresh tokens: each is found by one statement, and carried out by another one. */
export class OAuthRefreshes extends IdentityTable {
  async find(hash: Buffer, clientId: string, now: Date): Promise<FoundRefresh> {
    const [found] = await prepared<FoundRow>(
      this.knex,
      `select t.payload, t.consumed_at as "consumedAt", r.answer, g.id is not null as "isGranted",
         g.grant_id as "grantId", g.account_id as "accountId", g.client_id as "clientId", g.scopes, g.resource,
         g.created_at as "createdAt", g.expires_at as "expiresAt", g.revoked_at as "revokedAt",
         coalesce(a.enabled, false) as "accountEnabled"
       from (select 1) one
       left join ${artifacts} t on t.model = 'RefreshToken' and t.hash = ?
       left join ${replays} r on r.hash = ? and r.client_id = ? and r.expires_at > ?
       left join identity.oauth_grants g on g.grant_id = coalesce(r.grant_id, t.grant_id)
       left join identity.accounts a on a.id = g.account_id`,
      [hash, hash, clientId, now],
    );
    if (found === undefined) throw new Error('the look-up of a refresh returned no row');
    const { payload, consumedAt, answer, isGranted, ...grant } = found;
    return {
      token: payload === null ? undefined : { payload, consumedAt },
      grant: isGranted ? grant : undefined,
      answer: (isGranted && grant.revokedAt === null && answer) || undefined,
    };
  }

  /**
   * Uses a token: stores its successor, an access token and the answer that has both, or nothing at all. Waits for another
   * request that is about to use it. @returns false where that one has, or where the token is gone
   */
  async carryOut(changes: RefreshChanges): Promise<boolean> {
    const { hash, clientId, usedAt, successor, accessToken, answer, answerExpiresAt } = changes;
    const used = await prepared(
      this.knex,
      `with used as (
         update ${artifacts} set consumed_at = ?
         where model = 'RefreshToken' and hash = ? and consumed_at is null returning grant_id
       ), successor as (
         insert into ${artifacts} (model, hash, grant_id, account_id, payload, expires_at)
         select 'RefreshToken', ?::bytea, grant_id, ?::bigint, ?::jsonb, ?::timestamptz from used
       ), token as (
         insert into identity.oauth_access_tokens (hash, grant_id, client_id, scopes, resource, payload, expires_at)
         select ?::bytea, grant_id, ?::text, ?::text[], ?::text, ?::jsonb, ?::timestamptz from used
       ), kept as (
         insert into ${replays} (hash, client_id, grant_id, answer, expires_at)
         select ?::bytea, ?::text, grant_id, ?::bytea, ?::timestamptz from used
       )
       select grant_id from used`,
      [
        ...[usedAt, hash],
        ...[successor.hash, successor.accountId, JSON.stringify(successor.payload), successor.expiresAt],
        ...[accessToken.hash, accessToken.clientId, accessToken.scopes, accessToken.resource],
        ...[JSON.stringify(accessToken.payload), accessToken.expiresAt],
        ...[hash, clientId, answer, answerExpiresAt],
      ],
    );
    return used.length > 0;
  }
}
