import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { column, type ValuesOf } from '../lib/table.js';
import { prepared } from '../statement.js';
import type { AnyTx } from '../tx.js';
import { aliases, columns, countOf, IdentityTable, pageOf } from './columns.js';

const fields = {
  id: column<number>(),
  uuid: column<string>(),
  clientId: column<string>(),
  /** The account that created the application; null for a client that registered itself. */
  accountId: column<number | null>(),
  name: column<string>(),
  serverUrl: column<string | null>(),
  redirectUris: column<string[]>(),
  /** The most that the client may ask for. */
  scopes: column<string[]>(),
  /** A program on the person's device, whose loopback redirect may have any port (RFC 8252, section 7.3). */
  isNative: column<boolean>(),
  /** SHA-256 of the secret; null for a public client. */
  secretHash: column<Buffer | null>(),
  /** The last characters of the secret, by which people recognize it. */
  secretHint: column<string | null>(),
  formerSecretHash: column<Buffer | null>(),
  formerSecretUntil: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
  lastUsedAt: column<Date | null>(),
};

/** An OAuth client: an application that an account created, or a program that registered itself. */
export type OAuthClientRow = ValuesOf<typeof fields>;

export type NewOAuthClient = Pick<
  OAuthClientRow,
  | 'clientId'
  | 'accountId'
  | 'name'
  | 'serverUrl'
  | 'isNative'
  | 'secretHash'
  | 'secretHint'
  | 'createdAt'
  | 'updatedAt'
> & {
  uuid?: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  /** Keyed hash of the address that a self-registered client came from. */
  registrantHash?: Buffer;
};

export type OAuthClientChanges = Partial<
  Pick<
    OAuthClientRow,
    | 'name'
    | 'serverUrl'
    | 'secretHash'
    | 'secretHint'
    | 'formerSecretHash'
    | 'formerSecretUntil'
    | 'updatedAt'
  >
> & { redirectUris?: readonly string[]; scopes?: readonly string[] };

const table = 'identity.oauth_clients';
const selected = Object.entries(aliases(fields))
  .map(([field, name]) => `${name} as "${field}"`)
  .join(', ');

/** OAuth clients. Their secrets are stored as hashes only. */
export class OAuthClientsTable extends IdentityTable {
  async insert(client: NewOAuthClient, tx?: AnyTx): Promise<OAuthClientRow> {
    const knex = tx ?? this.knex;
    const [inserted] = await knex(table).insert(columns(client)).returning<{ id: number }[]>('id');
    return knex(table).select(aliases(fields)).where({ id: inserted?.id }).first();
  }

  async findByClientId(clientId: string): Promise<OAuthClientRow | undefined> {
    const [client] = await prepared<OAuthClientRow>(
      this.knex,
      `select ${selected} from ${table} where client_id = ?`,
      [clientId],
    );
    return client;
  }

  async findForAccount(accountId: number, uuid: string, tx?: AnyTx): Promise<OAuthClientRow | undefined> {
    const mine = (tx ?? this.knex)(table).select(aliases(fields)).where(columns({ accountId, uuid }));
    return (tx === undefined ? mine : mine.forUpdate()).first();
  }

  async listForAccount(
    accountId: number,
    page: PageRequest<'name' | 'createdAt'>,
  ): Promise<PageOf<OAuthClientRow>> {
    const mine = this.knex(table).select(aliases(fields)).where(columns({ accountId }));
    return pageOf(mine, page, page.sortBy === 'name' ? 'name' : 'created_at');
  }

  async countForAccount(accountId: number, tx: AnyTx): Promise<number> {
    return countOf(tx(table).where(columns({ accountId })));
  }

  /** Counts the clients that registered themselves since a time, in all and from one address. */
  async countRegistered(
    since: Date,
    registrantHash: Buffer,
    tx: AnyTx,
  ): Promise<{ all: number; own: number }> {
    const since_ = tx(table).whereNull('account_id').where('created_at', '>', since);
    return {
      all: await countOf(since_.clone()),
      own: await countOf(since_.clone().where(columns({ registrantHash }))),
    };
  }

  async update(id: number, changes: OAuthClientChanges, tx: AnyTx): Promise<void> {
    await tx(table).where({ id }).update(columns(changes));
  }

  async delete(id: number, tx: AnyTx): Promise<void> {
    await tx(table).where({ id }).delete();
  }

  /**
   * Deletes up to a hundred clients that registered themselves before a time and that no person has let in: a client
   * with a grant stays, because programs keep their registration for ever.
   */
  async removeUnused(before: Date, tx: AnyTx): Promise<void> {
    const unused = tx(`${table} as c`)
      .select('id')
      .whereNull('account_id')
      .where('created_at', '<', before)
      .whereNotExists((granted) =>
        granted.from('identity.oauth_grants as g').whereRaw('g.client_id = c.client_id').select('g.id'),
      )
      .limit(100)
      .forUpdate()
      .skipLocked();
    await tx(table).whereIn('id', unused).delete();
  }

  async touch(clientId: string, at: Date, unlessSince: Date): Promise<void> {
    await prepared(
      this.knex,
      `update ${table} set last_used_at = ?
       where client_id = ? and (last_used_at is null or last_used_at < ?)`,
      [at, clientId, unlessSince],
    );
  }
}
