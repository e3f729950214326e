import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { column, type ValuesOf } from '../lib/table.js';
import { entering } from '../people/member-access.js';
import { prepared, statement } from '../statement.js';
import type { AnyTx, IdentityTx } from '../tx.js';
import { type AccountRow, accountFields } from './accounts.js';
import { aliases, columns, countOf, IdentityTable, pageOf } from './columns.js';
import type { EnteredMembership } from './memberships.js';
import { isSsoOnly, organizationOfWorkspace } from './organizations.js';

const fields = {
  id: column<number>(),
  uuid: column<string>(),
  accountId: column<number>(),
  /** The one workspace that the key is valid for; null when it is valid for all of the account's. */
  workspaceId: column<number | null>(),
  parentId: column<number | null>(),
  name: column<string>(),
  prefix: column<string>(),
  scopes: column<string[]>(),
  expiresAt: column<Date | null>(),
  lastUsedAt: column<Date | null>(),
  revokedAt: column<Date | null>(),
  createdAt: column<Date>(),
};

export type ApiKeyRow = ValuesOf<typeof fields>;

export type NewApiKey = Pick<ApiKeyRow, 'accountId' | 'name' | 'prefix'> & {
  /** SHA-256 of the whole key. */
  hash: Buffer;
  scopes: readonly string[];
} & {
  [Field in 'workspaceId' | 'parentId' | 'expiresAt' | 'createdAt']?: ApiKeyRow[Field] | undefined;
};

/** What authentication needs to know of a key and of the workspace that it is used in, in one row. */
export interface ApiKeyInWorkspace
  extends Pick<ApiKeyRow, 'id' | 'accountId' | 'scopes' | 'expiresAt' | 'lastUsedAt' | 'revokedAt'>,
    EnteredMembership {
  accountEnabled: boolean;
}

const table = 'identity.api_keys';
/** The key of the first binding, and all keys that were created with it, directly or indirectly. */
const tree = `with recursive tree as (
  select id from ${table} where id = ?
  union all select k.id from ${table} k join tree t on k.parent_id = t.id
)`;

/** API keys. Only hashes are stored. */
export class ApiKeysTable extends IdentityTable {
  async insert(key: NewApiKey, tx?: AnyTx): Promise<ApiKeyRow> {
    const knex = tx ?? this.knex;
    const inserted: { id: number }[] = await knex(table).insert(columns(key)).returning('id');
    return knex(table).select(aliases(fields)).where({ id: inserted[0]?.id }).first();
  }

  /** Finds a key and its account, for requests outside a workspace. */
  async findByHash(hash: Buffer): Promise<{ key: ApiKeyRow; account: AccountRow } | undefined> {
    const key: ApiKeyRow | undefined = await this.knex(table).select(aliases(fields)).where({ hash }).first();
    if (key === undefined) return undefined;
    const account: AccountRow = await this.knex('identity.accounts')
      .select(aliases(accountFields))
      .where({ id: key.accountId })
      .first();
    return { key, account };
  }

  /** Finds the key with its account and its member in a workspace, and enters that workspace in `tx`. */
  async enterByHash(
    tx: IdentityTx,
    hash: Buffer,
    workspaceUuid: string,
  ): Promise<ApiKeyInWorkspace | undefined> {
    const [found] = await prepared<ApiKeyInWorkspace>(
      tx,
      `select k.id, k.account_id as "accountId", k.scopes, k.expires_at as "expiresAt",
         k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt", a.enabled as "accountEnabled",
         m.workspace_id as "workspaceId", m.member_id as "memberId", m.support_ends_at as "supportEndsAt",
         coalesce(m.is_support and not a.is_superuser, false) as "supportLost",
         coalesce(m.is_support, false) as "isSupport", ${isSsoOnly} as "ssoOnly", null::timestamptz as "ssoEndsAt",
         ${entering('m.workspace_id', 'm.member_id')}
       from identity.api_keys k
       join identity.accounts a on a.id = k.account_id
       left join identity.workspaces w on w.uuid = ? and w.id = coalesce(k.workspace_id, w.id)
       left join identity.memberships m on m.workspace_id = w.id and m.account_id = k.account_id
       ${organizationOfWorkspace}
       where k.hash = ?`,
      [workspaceUuid, hash],
    );
    return found;
  }

  async findForAccount(accountId: number, id: number, tx?: AnyTx): Promise<ApiKeyRow | undefined> {
    return (tx ?? this.knex)(table).select(aliases(fields)).where(columns({ accountId, id })).first();
  }

  /** Lists an account's keys, including revoked ones; only those of one workspace, where that is given. */
  async listForAccount(
    accountId: number,
    page: PageRequest<'name' | 'createdAt'>,
    onlyWorkspaceId: number | null,
  ): Promise<PageOf<ApiKeyRow>> {
    const mine = this.knex(table).select(aliases(fields)).where(columns({ accountId }));
    if (onlyWorkspaceId !== null) mine.where({ workspace_id: onlyWorkspaceId });
    return pageOf(mine, page, page.sortBy === 'name' ? 'name' : 'created_at');
  }

  async rename(id: number, name: string, tx: AnyTx): Promise<void> {
    await tx(table).where({ id }).update({ name });
  }

  async changeReach(id: number, changes: { expiresAt?: Date | undefined }, tx: AnyTx): Promise<void> {
    if (changes.expiresAt !== undefined) await tx(table).where({ id }).update(columns(changes));
  }

  async countAll(accountId: number, tx: AnyTx): Promise<number> {
    return countOf(tx(table).where(columns({ accountId })));
  }

  /** Counts the keys of an account, or those limited to one workspace, that are neither revoked nor expired. */
  async countActive(
    owner: { accountId: number } | { workspaceId: number },
    now: Date,
    tx: AnyTx,
  ): Promise<number> {
    return countOf(
      tx(table)
        .where(columns(owner))
        .whereNull('revoked_at')
        .where((open) => open.whereNull('expires_at').orWhere('expires_at', '>', now)),
    );
  }

  /** Whether a key is the root key, or was created with it, directly or indirectly. */
  async isInTree(id: number, rootId: number, tx: IdentityTx): Promise<boolean> {
    const found = await statement<{ id: number }>(tx, `${tree} select id from tree where id = ?`, [
      rootId,
      id,
    ]);
    return found.length > 0;
  }

  /** Revokes a key and all keys created with it; revoked ones keep their date. @returns the ids of all of them */
  async revokeTree(rootId: number, at: Date, tx: IdentityTx): Promise<number[]> {
    const keys = await statement<{ id: number }>(
      tx,
      `${tree}, revoked as (
         update ${table} set revoked_at = ? where id in (select id from tree) and revoked_at is null
       ) select id from tree`,
      [rootId, at],
    );
    return keys.map(({ id }) => id);
  }

  /** Removes scopes from a key and all keys created with it, and limits their expiry. Undefined limits nothing. */
  async narrowTree(
    rootId: number,
    to: { scopes?: readonly string[] | undefined; expiresAt?: Date | undefined },
    tx: IdentityTx,
  ): Promise<void> {
    if (to.scopes !== undefined) {
      await statement(
        tx,
        `${tree} update ${table}
         set scopes = array(select scope from unnest(scopes) with ordinality as s (scope, place)
                            where scope = any(?) order by place)
         where id in (select id from tree)`,
        [rootId, to.scopes],
      );
    }
    if (to.expiresAt === undefined) return;
    await statement(
      tx,
      `${tree} update ${table} set expires_at = least(expires_at, ?) where id in (select id from tree)`,
      [rootId, to.expiresAt],
    );
  }

  /** Makes the keys that were created with one key children of another. */
  async handOnChildren(from: number, to: number, tx: AnyTx): Promise<void> {
    await tx(table).where({ parent_id: from }).update({ parent_id: to });
  }

  /** Keeps a key from being forgotten after its end, until a time at least. */
  async keepUntil(id: number, until: Date, tx: AnyTx): Promise<void> {
    await tx(table)
      .where({ id })
      .where((sooner) => sooner.whereNull('needed_until').orWhere('needed_until', '<', until))
      .update({ needed_until: until });
  }

  /**
   * Deletes an account's ended keys except the latest, and those that are needed. A key with children stays, so that
   * those can be revoked.
   */
  async removeEnded(accountId: number, { now, keep }: { now: Date; keep: number }, tx: AnyTx): Promise<void> {
    const forgotten = tx(`${table} as k`)
      .select('id')
      .where(columns({ accountId }))
      .where((ended) => ended.whereNotNull('revoked_at').orWhere('expires_at', '<=', now))
      .where((unneeded) => unneeded.whereNull('needed_until').orWhere('needed_until', '<=', now))
      .whereNotExists((made) => made.from(`${table} as c`).whereRaw('c.parent_id = k.id').select('c.id'))
      .orderByRaw('coalesce(revoked_at, expires_at) desc, id desc')
      .offset(keep);
    await tx(table).whereIn('id', forgotten).delete();
  }

  async touch(id: number, at: Date, unlessSince: Date): Promise<void> {
    await this.knex(table)
      .where({ id })
      .where((older) => older.whereNull('last_used_at').orWhere('last_used_at', '<', unlessSince))
      .update({ last_used_at: at });
  }
}
