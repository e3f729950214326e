import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { column, type ValuesOf } from '../lib/table.js';
import type { AnyTx } from '../tx.js';
import { aliases, columns, countOf, IdentityTable, pageOf, removeExpiredRows, returned } from './columns.js';

const fields = {
  id: column<number>(),
  uuid: column<string>(),
  /** By which codes and tokens refer to the grant. It is no secret. */
  grantId: column<string>(),
  accountId: column<number>(),
  workspaceId: column<number>(),
  clientId: column<string>(),
  /** What the person read when it consented. */
  clientName: column<string>(),
  scopes: column<string[]>(),
  resource: column<string>(),
  createdAt: column<Date>(),
  expiresAt: column<Date>(),
  lastUsedAt: column<Date | null>(),
  revokedAt: column<Date | null>(),
  revokedBy: column<GrantRevoker | null>(),
};

/** Who ended a grant: the person, the client, a token that was used twice, or the end of the application. */
export type GrantRevoker = 'person' | 'client' | 'reuse' | 'application';

/** What a person has consented to. */
export type OAuthGrantRow = ValuesOf<typeof fields>;

/** A grant with the name of its workspace, as its person reads it. */
export type ListedGrant = OAuthGrantRow & { workspaceName: string; workspaceUuid: string };

export type NewOAuthGrant = Pick<
  OAuthGrantRow,
  'grantId' | 'accountId' | 'workspaceId' | 'clientId' | 'clientName' | 'resource' | 'createdAt' | 'expiresAt'
> & { uuid?: string; scopes: readonly string[] };

const table = 'identity.oauth_grants';
/** `returning` takes no object. */
const workspace = { workspaceName: 'w.name', workspaceUuid: 'w.uuid' };

/** Consents of persons to OAuth clients. */
export class OAuthGrantsTable extends IdentityTable {
  /** @returns the id */
  async insert(grant: NewOAuthGrant, tx: AnyTx): Promise<number> {
    const [row]: { id: number }[] = await tx(table).insert(columns(grant)).returning('id');
    if (row === undefined) throw new Error('the grant was not inserted');
    return row.id;
  }

  async find(grantId: string, tx?: AnyTx): Promise<OAuthGrantRow | undefined> {
    return (tx ?? this.knex)(table).select(aliases(fields)).where(columns({ grantId })).first();
  }

  async findForAccount(accountId: number, uuid: string, tx: AnyTx): Promise<OAuthGrantRow | undefined> {
    return tx(table).select(aliases(fields)).where(columns({ accountId, uuid })).forUpdate().first();
  }

  /** Lists the grants of an account that are in force, the latest first. */
  async listForAccount(
    accountId: number,
    now: Date,
    page: Omit<PageRequest, 'sortBy'>,
  ): Promise<PageOf<ListedGrant>> {
    const mine = this.knex(`${table} as g`)
      .join('identity.workspaces as w', 'w.id', 'g.workspace_id')
      .select({ ...aliases(fields, 'g'), ...workspace })
      .where('g.account_id', accountId)
      .whereNull('g.revoked_at')
      .where('g.expires_at', '>', now);
    return pageOf(mine, page, 'g.created_at', 'g.id');
  }

  async countInForce(accountId: number, now: Date, tx: AnyTx): Promise<number> {
    return countOf(
      tx(table).where(columns({ accountId })).whereNull('revoked_at').where('expires_at', '>', now),
    );
  }

  /**
   * Ends a grant; what refers to it is deleted by `OAuthArtifactsTable` and `OAuthAccessTokensTable`.
   * @returns the grant, if it was in force
   */
  async revoke(grantId: string, by: GrantRevoker, at: Date, tx: AnyTx): Promise<OAuthGrantRow | undefined> {
    const ended: OAuthGrantRow[] = await tx(table)
      .where(columns({ grantId }))
      .whereNull('revoked_at')
      .update(columns({ revokedAt: at, revokedBy: by }))
      .returning(returned(fields));
    return ended[0];
  }

  /** Ends all grants of a client. @returns the grants that were in force */
  async revokeAllOfClient(clientId: string, by: GrantRevoker, at: Date, tx: AnyTx): Promise<OAuthGrantRow[]> {
    return tx(table)
      .where(columns({ clientId }))
      .whereNull('revoked_at')
      .update(columns({ revokedAt: at, revokedBy: by }))
      .returning(returned(fields));
  }

  async removeExpired(before: Date, tx: AnyTx): Promise<void> {
    await removeExpiredRows(tx, table, before);
  }

  async touch(id: number, at: Date, unlessSince: Date): Promise<void> {
    await this.knex(table)
      .where({ id })
      .where((older) => older.whereNull('last_used_at').orWhere('last_used_at', '<', unlessSince))
      .update({ last_used_at: at });
  }
}
