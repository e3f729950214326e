import { entering } from '../people/member-access.js';
import { prepared } from '../statement.js';
import type { AnyTx, IdentityTx } from '../tx.js';
import { IdentityTable, removeExpiredRows } from './identity-table.js';
import type { EnteredMembership } from './memberships.js';
import { AccountModel, type AccountRow } from './models/account.js';
import { OAuthAccessTokenModel, type OAuthAccessTokenRow } from './models/oauth-access-token.js';
import { isSsoOnly, organizationOfWorkspace } from './organizations.js';

/** A stored token: its hash and the payload that the authorization server gave it. */
export type StoredAccessToken = Omit<OAuthAccessTokenRow, 'id'> & { hash: Buffer };

/** What authentication needs to know of a token, its grant and its client. */
export interface AccessTokenInForce {
  /** Of the grant: it stays the same when the token is refreshed. */
  id: number;
  accountId: number;
  clientId: string;
  scopes: string[];
  resource: string;
  expiresAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  accountEnabled: boolean;
}

export type AccessTokenInWorkspace = AccessTokenInForce &
  EnteredMembership & {
    /** Null when the token is not valid in the workspace that was asked for. */
    workspaceUuid: string | null;
  };

const inForce = `g.id, g.account_id as "accountId", t.client_id as "clientId", t.scopes, t.resource,
   least(t.expires_at, g.expires_at) as "expiresAt", g.revoked_at as "revokedAt", g.last_used_at as "lastUsedAt",
   a.enabled as "accountEnabled"`;
const joined = `identity.oauth_access_tokens t
   join identity.oauth_grants g on g.grant_id = t.grant_id
   join identity.accounts a on a.id = g.account_id`;

/** Access tokens. Only hashes are stored. */
export class OAuthAccessTokensTable extends IdentityTable {
  async insert(token: StoredAccessToken): Promise<void> {
    await OAuthAccessTokenModel.upsert(this.knex, token, ['hash']);
  }

  async find(hash: Buffer): Promise<OAuthAccessTokenRow | undefined> {
    return OAuthAccessTokenModel.first(this.knex, 'hash = ?', [hash]);
  }

  /** Finds the token with its grant and account, for requests outside a workspace. */
  async findByHash(
    hash: Buffer,
  ): Promise<{ token: AccessTokenInForce & { workspaceId: number }; account: AccountRow } | undefined> {
    const [token] = await prepared<AccessTokenInForce & { workspaceId: number }>(
      this.knex,
      `select ${inForce}, g.workspace_id as "workspaceId" from ${joined} where t.hash = ?`,
      [hash],
    );
    const account = token && (await AccountModel.find(this.knex, token.accountId));
    return account && { token, account };
  }

  /**
   * Finds the token, its grant and the member of its account in a workspace, and enters that workspace in `tx`.
   * @param workspaceUuid null: the workspace that the token is for
   */
  async enterByHash(
    tx: IdentityTx,
    hash: Buffer,
    workspaceUuid: string | null,
  ): Promise<AccessTokenInWorkspace | undefined> {
    const [found] = await prepared<AccessTokenInWorkspace>(
      tx,
      `select ${inForce}, m.workspace_id as "workspaceId", w.uuid as "workspaceUuid", m.member_id as "memberId",
         m.support_ends_at as "supportEndsAt", coalesce(m.is_support, false) as "supportLost",
         coalesce(m.is_support, false) as "isSupport", ${isSsoOnly} as "ssoOnly", null::timestamptz as "ssoEndsAt",
         ${entering('m.workspace_id', 'm.member_id')}
       from ${joined}
       left join identity.workspaces w on w.uuid = coalesce(?::uuid, w.uuid) and w.id = g.workspace_id
       ${organizationOfWorkspace}
       left join identity.memberships m on m.workspace_id = w.id and m.account_id = g.account_id
       where t.hash = ?`,
      [workspaceUuid, hash],
    );
    return found;
  }

  async delete(hash: Buffer): Promise<void> {
    await OAuthAccessTokenModel.deleteWhere(this.knex, 'hash = ?', [hash]);
  }

  async deleteOfGrants(grantIds: readonly string[], tx?: AnyTx): Promise<void> {
    await OAuthAccessTokenModel.deleteWhere(tx ?? this.knex, 'grant_id = any(?)', [grantIds]);
  }

  async removeExpired(before: Date, tx: AnyTx): Promise<void> {
    await removeExpiredRows(tx, OAuthAccessTokenModel, before);
  }
}
