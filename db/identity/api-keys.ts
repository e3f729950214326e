import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import type { Values } from '../lib/table-model.js';
import { entering } from '../people/member-access.js';
import { prepared, statement } from '../statement.js';
import type { AnyTx, IdentityTx } from '../tx.js';
import { IdentityTable, pageOf } from './identity-table.js';
import type { EnteredMembership } from './memberships.js';
import { AccountModel, type AccountRow } from './models/account.js';
import { ApiKeyModel, type ApiKeyRow } from './models/api-key.js';
import { isSsoOnly, organizationOfWorkspace } from './organizations.js';

type NewApiKey = Pick<ApiKeyRow, 'accountId' | 'name' | 'prefix'> & {
  hash: Buffer;
  scopes: readonly string[];
} & Pick<Values<ApiKeyModel>, 'workspaceId' | 'parentId' | 'expiresAt' | 'createdAt'>;

/** What authentication needs to know of a key and of the workspace that it is used in, in one row. */
export interface ApiKeyInWorkspace
  extends Pick<ApiKeyRow, 'id' | 'accountId' | 'scopes' | 'expiresAt' | 'lastUsedAt' | 'revokedAt'>,
    EnteredMembership {
  accountEnabled: boolean;
}

const table = ApiKeyModel.tableName;
/** The key of the first binding, and all keys that were created with it, directly or indirectly. */
const tree = `with recursive tree as (
  select id from ${table} where id = ?
  union all select k.id from ${table} k join tree t on k.parent_id = t.id
)`;

/** API keys. Only hashes are stored. */
export class ApiKeysTable extends IdentityTable {
  async insert(key: NewApiKey, tx?: AnyTx): Promise<ApiKeyRow> {
    return ApiKeyModel.insert(tx ?? this.knex, key);
  }

  /** Finds a key and its account, for requests outside a workspace. */
  async findByHash(hash: Buffer): Promise<{ key: ApiKeyRow; account: AccountRow } | undefined> {
    const key = await ApiKeyModel.first(this.knex, 'hash = ?', [hash]);
    const account = key && (await AccountModel.find(this.knex, key.accountId));
    return account && { key, account };
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
    return ApiKeyModel.first(tx ?? this.knex, 'account_id = ? and id = ?', [accountId, id]);
  }

  /** Lists an account's keys, including revoked ones; only those of one workspace, where that is given. */
  async listForAccount(
    accountId: number,
    page: PageRequest<'name' | 'createdAt'>,
    onlyWorkspaceId: number | null,
  ): Promise<PageOf<ApiKeyRow>> {
    const mine = {
      select: ApiKeyModel.columns,
      from: `${table} where account_id = ?`,
      bindings: [accountId],
    };
    if (onlyWorkspaceId !== null) {
      mine.from += ' and workspace_id = ?';
      mine.bindings.push(onlyWorkspaceId);
    }
    return pageOf(this.knex, mine, page, page.sortBy === 'name' ? 'name' : 'created_at');
  }

  async rename(id: number, name: string, tx: AnyTx): Promise<void> {
    await ApiKeyModel.updateWhere(tx, { name }, 'id = ?', [id]);
  }

  async changeReach(id: number, { expiresAt }: { expiresAt?: Date | undefined }, tx: AnyTx): Promise<void> {
    if (expiresAt !== undefined) await ApiKeyModel.updateWhere(tx, { expiresAt }, 'id = ?', [id]);
  }

  async countAll(accountId: number, tx: AnyTx): Promise<number> {
    return ApiKeyModel.count(tx, 'account_id = ?', [accountId]);
  }

  /** Counts the keys of an account, or those limited to one workspace, that are neither revoked nor expired. */
  async countActive(
    owner: { accountId: number } | { workspaceId: number },
    now: Date,
    tx: AnyTx,
  ): Promise<number> {
    const active = 'revoked_at is null and (expires_at is null or expires_at > ?)';
    return 'accountId' in owner
      ? ApiKeyModel.count(tx, `account_id = ? and ${active}`, [owner.accountId, now])
      : ApiKeyModel.count(tx, `workspace_id = ? and ${active}`, [owner.workspaceId, now]);
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
    await ApiKeyModel.updateWhere(tx, { parentId: to }, 'parent_id = ?', [from]);
  }

  /** Keeps a key from being forgotten after its end, until a time at least. */
  async keepUntil(id: number, until: Date, tx: AnyTx): Promise<void> {
    const isSooner = 'id = ? and (needed_until is null or needed_until < ?)';
    await ApiKeyModel.updateWhere(tx, { neededUntil: until }, isSooner, [id, until]);
  }

  /**
   * Deletes an account's ended keys except the latest, and those that are needed. A key with children stays, so that
   * those can be revoked.
   */
  async removeEnded(accountId: number, { now, keep }: { now: Date; keep: number }, tx: AnyTx): Promise<void> {
    await ApiKeyModel.deleteWhere(
      tx,
      `id in (select id from ${table} k
         where account_id = ? and (revoked_at is not null or expires_at <= ?)
           and (needed_until is null or needed_until <= ?)
           and not exists (select from ${table} c where c.parent_id = k.id)
         order by coalesce(revoked_at, expires_at) desc, id desc offset ?)`,
      [accountId, now, now, keep],
    );
  }

  async touch(id: number, at: Date, unlessSince: Date): Promise<void> {
    const isOlder = 'id = ? and (last_used_at is null or last_used_at < ?)';
    await ApiKeyModel.updateWhere(this.knex, { lastUsedAt: at }, isOlder, [id, unlessSince]);
  }
}
