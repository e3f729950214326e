import type { Knex } from 'knex';
import type { AnyTx, IdentityTx } from '../database.js';
import { entering } from '../people/member-access.js';
import { prepared, statement } from '../statement.js';
import { type AccountRow, accountFields } from './accounts.js';
import { aliases, columns } from './columns.js';

export interface ApiKeyRow {
  id: number;
  uuid: string;
  accountId: number;
  /** The one workspace the key is good for; null when it is good for all of the account's. */
  workspaceId: number | null;
  /** The key that it was made with. */
  parentId: number | null;
  name: string;
  prefix: string;
  scopes: string[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}

export interface NewApiKey {
  accountId: number;
  workspaceId?: number | null | undefined;
  parentId?: number | null | undefined;
  name: string;
  prefix: string;
  /** SHA-256 of the whole key. */
  hash: Buffer;
  scopes: readonly string[];
  expiresAt?: Date | null | undefined;
  createdAt?: Date | undefined;
}

/** What authentication needs of a key and of the place it is used at, in one row. */
export interface ApiKeyInWorkspace {
  id: number;
  accountId: number;
  accountEnabled: boolean;
  scopes: string[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  /** Null when there is no such workspace, the key is not good there or its account is not a member. */
  workspaceId: number | null;
  memberId: number | null;
  /** For a superuser who is there for support: until when. */
  supportEndsAt: Date | null;
  /** Whether somebody is there for support who is no superuser any more. */
  supportLost: boolean;
}

const fields = [
  'id',
  'uuid',
  'accountId',
  'workspaceId',
  'parentId',
  'name',
  'prefix',
  'scopes',
  'expiresAt',
  'lastUsedAt',
  'revokedAt',
  'createdAt',
] as const satisfies readonly (keyof ApiKeyRow)[];
const table = 'identity.api_keys';
/** The key of the first binding and all that were made with it. */
const tree = `with recursive tree as (
  select id from ${table} where id = ?
  union all select k.id from ${table} k join tree t on k.parent_id = t.id
)`;

/** API keys. Only hashes are kept. */
export class ApiKeysTable {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  async insert(key: NewApiKey, tx?: AnyTx): Promise<ApiKeyRow> {
    const knex = tx ?? this.#knex;
    const inserted: { id: number }[] = await knex(table).insert(columns(key)).returning('id');
    return knex(table).select(aliases(fields)).where({ id: inserted[0]?.id }).first();
  }

  /** The key with its account, for what is not about one workspace. */
  async findByHash(hash: Buffer): Promise<{ key: ApiKeyRow; account: AccountRow } | undefined> {
    const key: ApiKeyRow | undefined = await this.#knex(table)
      .select(aliases(fields))
      .where({ hash })
      .first();
    if (key === undefined) return undefined;
    const account: AccountRow = await this.#knex('identity.accounts')
      .select(aliases(accountFields))
      .where({ id: key.accountId })
      .first();
    return { key, account };
  }

  /** The key, its account's state and its account's member in that workspace; `tx` is in it from then on. */
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
         ${entering('m.workspace_id', 'm.member_id')}
       from identity.api_keys k
       join identity.accounts a on a.id = k.account_id
       left join identity.workspaces w on w.uuid = ? and w.id = coalesce(k.workspace_id, w.id)
       left join identity.memberships m on m.workspace_id = w.id and m.account_id = k.account_id
       where k.hash = ?`,
      [workspaceUuid, hash],
    );
    return found;
  }

  async findForAccount(accountId: number, id: number, tx?: AnyTx): Promise<ApiKeyRow | undefined> {
    return (tx ?? this.#knex)(table).select(aliases(fields)).where(columns({ accountId, id })).first();
  }

  /** An account's keys, revoked ones included; those of one workspace only, where that is given. */
  async listForAccount(
    accountId: number,
    page: { sortBy: 'name' | 'createdAt'; sortOrder: 'asc' | 'desc'; limit: number; offset: number },
    onlyWorkspaceId: number | null,
  ): Promise<{ items: ApiKeyRow[]; total: number }> {
    const mine = this.#knex(table).where(columns({ accountId }));
    if (onlyWorkspaceId !== null) mine.where({ workspace_id: onlyWorkspaceId });
    const items: ApiKeyRow[] = await mine
      .clone()
      .select(aliases(fields))
      .orderBy(page.sortBy === 'name' ? 'name' : 'created_at', page.sortOrder)
      .orderBy('id', page.sortOrder)
      .limit(page.limit)
      .offset(page.offset);
    const counted: { count: number }[] = await mine.clone().count({ count: '*' });
    return { items, total: counted[0]?.count ?? 0 };
  }

  async rename(id: number, name: string, tx: AnyTx): Promise<void> {
    await tx(table).where({ id }).update({ name });
  }

  async changeReach(id: number, changes: { expiresAt?: Date | undefined }, tx: AnyTx): Promise<void> {
    if (changes.expiresAt !== undefined) await tx(table).where({ id }).update(columns(changes));
  }

  async countAll(accountId: number, tx: AnyTx): Promise<number> {
    const counted: { count: number }[] = await tx(table).where(columns({ accountId })).count({ count: '*' });
    return counted[0]?.count ?? 0;
  }

  /** Keys of an account, or of one workspace alone, that are neither revoked nor expired. */
  async countActive(
    owner: { accountId: number } | { workspaceId: number },
    now: Date,
    tx: AnyTx,
  ): Promise<number> {
    const counted: { count: number }[] = await tx(table)
      .where(columns(owner))
      .whereNull('revoked_at')
      .where((open) => open.whereNull('expires_at').orWhere('expires_at', '>', now))
      .count({ count: '*' });
    return counted[0]?.count ?? 0;
  }

  /** Whether a key is this one, or was made with it, or with one that was. */
  async isInTree(id: number, rootId: number, tx: IdentityTx): Promise<boolean> {
    const found = await statement<{ id: number }>(tx, `${tree} select id from tree where id = ?`, [
      rootId,
      id,
    ]);
    return found.length > 0;
  }

  /**
   * Revokes a key and all that were made with it; those revoked before keep their first date.
   *
   * @returns the ids of them all
   */
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

  /** Takes scopes from a key and all that were made with it, and has them end no later. What is undefined stays. */
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

  /** Puts keys that were made with one key below another. */
  async handOnChildren(from: number, to: number, tx: AnyTx): Promise<void> {
    await tx(table).where({ parent_id: from }).update({ parent_id: to });
  }

  /** Forgets an account's ended keys but the latest. One that others were made with stays, so that they can be revoked. */
  async removeEnded(accountId: number, { now, keep }: { now: Date; keep: number }, tx: AnyTx): Promise<void> {
    const forgotten = tx(`${table} as k`)
      .select('id')
      .where(columns({ accountId }))
      .where((ended) => ended.whereNotNull('revoked_at').orWhere('expires_at', '<=', now))
      .whereNotExists((made) => made.from(`${table} as c`).whereRaw('c.parent_id = k.id').select('c.id'))
      .orderByRaw('coalesce(revoked_at, expires_at) desc, id desc')
      .offset(keep);
    await tx(table).whereIn('id', forgotten).delete();
  }

  /** Notes that the key was used, unless that was noted after `unlessSince`. */
  async touch(id: number, at: Date, unlessSince: Date): Promise<void> {
    await this.#knex(table)
      .where({ id })
      .where((older) => older.whereNull('last_used_at').orWhere('last_used_at', '<', unlessSince))
      .update({ last_used_at: at });
  }
}
