import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import type { Values } from '../lib/table-model.js';
import type { AnyTx } from '../tx.js';
import { IdentityTable, pageOf } from './identity-table.js';
import { OAuthClientModel, type OAuthClientRow } from './models/oauth-client.js';

type NewOAuthClient = Omit<
  OAuthClientRow,
  'id' | 'uuid' | 'redirectUris' | 'scopes' | 'formerSecretHash' | 'formerSecretUntil' | 'lastUsedAt'
> & {
  uuid?: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  registrantHash?: Buffer;
};

export type OAuthClientChanges = Omit<
  Values<OAuthClientModel>,
  'id' | 'uuid' | 'clientId' | 'accountId' | 'isNative' | 'createdAt' | 'lastUsedAt' | 'registrantHash'
>;

/** OAuth clients. Their secrets are stored as hashes only. */
export class OAuthClientsTable extends IdentityTable {
  async insert(client: NewOAuthClient, tx?: AnyTx): Promise<OAuthClientRow> {
    return OAuthClientModel.insert(tx ?? this.knex, client);
  }

  async findByClientId(clientId: string): Promise<OAuthClientRow | undefined> {
    return OAuthClientModel.first(this.knex, 'client_id = ?', [clientId]);
  }

  /** Locks the row until the transaction ends, where one is given. */
  async findForAccount(accountId: number, uuid: string, tx?: AnyTx): Promise<OAuthClientRow | undefined> {
    const mine = 'account_id = ? and uuid = ?';
    return tx === undefined
      ? OAuthClientModel.first(this.knex, mine, [accountId, uuid])
      : OAuthClientModel.first(tx, `${mine} for update`, [accountId, uuid]);
  }

  async listForAccount(
    accountId: number,
    page: PageRequest<'name' | 'createdAt'>,
  ): Promise<PageOf<OAuthClientRow>> {
    const mine = {
      select: OAuthClientModel.columns,
      from: 'identity.oauth_clients where account_id = ?',
      bindings: [accountId],
    };
    return pageOf(this.knex, mine, page, page.sortBy === 'name' ? 'name' : 'created_at');
  }

  async countForAccount(accountId: number, tx: AnyTx): Promise<number> {
    return OAuthClientModel.count(tx, 'account_id = ?', [accountId]);
  }

  /** Counts the clients that registered themselves since a time, in all and from one address. */
  async countRegistered(
    since: Date,
    registrantHash: Buffer,
    tx: AnyTx,
  ): Promise<{ all: number; own: number }> {
    const registered = 'account_id is null and created_at > ?';
    return {
      all: await OAuthClientModel.count(tx, registered, [since]),
      own: await OAuthClientModel.count(tx, `${registered} and registrant_hash = ?`, [since, registrantHash]),
    };
  }

  async update(id: number, changes: OAuthClientChanges, tx: AnyTx): Promise<void> {
    await OAuthClientModel.updateWhere(tx, changes, 'id = ?', [id]);
  }

  async delete(id: number, tx: AnyTx): Promise<void> {
    await OAuthClientModel.deleteWhere(tx, 'id = ?', [id]);
  }

  /**
   * Deletes up to a hundred clients that registered themselves before a time and that no person has let in: a client
   * with a grant stays, because programs keep their registration for ever.
   */
  async removeUnused(before: Date, tx: AnyTx): Promise<void> {
    await OAuthClientModel.deleteWhere(
      tx,
      `id in (select id from identity.oauth_clients c where account_id is null and created_at < ?
         and not exists (select from identity.oauth_grants g where g.client_id = c.client_id)
         limit 100 for update skip locked)`,
      [before],
    );
  }

  async touch(clientId: string, at: Date, unlessSince: Date): Promise<void> {
    const isOlder = 'client_id = ? and (last_used_at is null or last_used_at < ?)';
    await OAuthClientModel.updateWhere(this.knex, { lastUsedAt: at }, isOlder, [clientId, unlessSince]);
  }
}
