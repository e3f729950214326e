import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import type { AnyTx } from '../tx.js';
import { IdentityTable, pageOf, removeExpiredRows } from './identity-table.js';
import { type GrantRevoker, OAuthGrantModel, type OAuthGrantRow } from './models/oauth-grant.js';

/** A grant with the name of its workspace, as its person reads it. */
export type ListedGrant = OAuthGrantRow & { workspaceName: string; workspaceUuid: string };

type NewOAuthGrant = Pick<
  OAuthGrantRow,
  'grantId' | 'accountId' | 'workspaceId' | 'clientId' | 'clientName' | 'resource' | 'createdAt' | 'expiresAt'
> & { uuid?: string; scopes: readonly string[] };

/** Consents of persons to OAuth clients. */
export class OAuthGrantsTable extends IdentityTable {
  /** @returns the id */
  async insert(grant: NewOAuthGrant, tx: AnyTx): Promise<number> {
    return (await OAuthGrantModel.insert(tx, grant)).id;
  }

  async find(grantId: string, tx?: AnyTx): Promise<OAuthGrantRow | undefined> {
    return OAuthGrantModel.first(tx ?? this.knex, 'grant_id = ?', [grantId]);
  }

  async findForAccount(accountId: number, uuid: string, tx: AnyTx): Promise<OAuthGrantRow | undefined> {
    return OAuthGrantModel.first(tx, 'account_id = ? and uuid = ? for update', [accountId, uuid]);
  }

  /** Lists the grants of an account that are in force, the latest first. */
  async listForAccount(
    accountId: number,
    now: Date,
    page: Omit<PageRequest, 'sortBy'>,
  ): Promise<PageOf<ListedGrant>> {
    const mine = {
      select: `${OAuthGrantModel.columns}, w.name as "workspaceName", w.uuid as "workspaceUuid"`,
      from: `identity.oauth_grants join identity.workspaces w on w.id = oauth_grants.workspace_id
        where oauth_grants.account_id = ? and revoked_at is null and expires_at > ?`,
      bindings: [accountId, now],
    };
    return pageOf(this.knex, mine, page, 'oauth_grants.created_at', 'oauth_grants.id');
  }

  async countInForce(accountId: number, now: Date, tx: AnyTx): Promise<number> {
    const inForce = 'account_id = ? and revoked_at is null and expires_at > ?';
    return OAuthGrantModel.count(tx, inForce, [accountId, now]);
  }

  /**
   * Ends a grant; what refers to it is deleted by `OAuthArtifactsTable` and `OAuthAccessTokensTable`.
   * @returns the grant, if it was in force
   */
  async revoke(grantId: string, by: GrantRevoker, at: Date, tx: AnyTx): Promise<OAuthGrantRow | undefined> {
    const isInForce = 'grant_id = ? and revoked_at is null';
    const changes = { revokedAt: at, revokedBy: by };
    const [ended] = await OAuthGrantModel.updateReturning(tx, changes, isInForce, [grantId]);
    return ended;
  }

  /** Ends all grants of a client. @returns the grants that were in force */
  async revokeAllOfClient(clientId: string, by: GrantRevoker, at: Date, tx: AnyTx): Promise<OAuthGrantRow[]> {
    const isInForce = 'client_id = ? and revoked_at is null';
    return OAuthGrantModel.updateReturning(tx, { revokedAt: at, revokedBy: by }, isInForce, [clientId]);
  }

  async removeExpired(before: Date, tx: AnyTx): Promise<void> {
    await removeExpiredRows(tx, OAuthGrantModel, before);
  }

  async touch(id: number, at: Date, unlessSince: Date): Promise<void> {
    const isOlder = 'id = ? and (last_used_at is null or last_used_at < ?)';
    await OAuthGrantModel.updateWhere(this.knex, { lastUsedAt: at }, isOlder, [id, unlessSince]);
  }
}
