import type { Knex } from 'knex';
import type { AnyTx, Tx } from '../database.js';
import { statement } from '../statement.js';
import type { Claimant } from './claims.js';
import { aliases, columns } from './columns.js';

export interface NewMemberToken {
  /** SHA-256 of the whole token. */
  hash: Buffer;
  memberId: number;
  /** All permissions of the member's role when the token was created. */
  roleGrants: readonly string[];
  /** The permissions of these that the token grants. */
  granted: readonly string[];
  /** The API key that created the token: revoking it ends the token. Null where a person created the token. */
  apiKeyId: number | null;
  expiresAt: Date;
  createdAt: Date;
}

export interface MemberTokenRow {
  id: number;
  createdAt: Date;
  expiresAt: Date;
}

/** A token that was used. Permissions are null where the last release created it. */
export interface UsedMemberToken {
  memberId: number;
  roleGrants: string[] | null;
  granted: string[] | null;
  apiKeyId: number | null;
}

const table = 'identity.member_tokens';
const mostRemovedAtOnce = 100;

/** Tokens with which a member can sign in once. Only hashes are stored. */
export class MemberTokensTable {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** Returns the workspace in which a token is to be used; undefined when there is no such token. */
  async workspaceOf(hash: Buffer): Promise<number | undefined> {
    const found: { workspace_id: number } | undefined = await this.#knex(table)
      .where({ hash })
      .first('workspace_id');
    return found?.workspace_id;
  }

  async insert(token: NewMemberToken, tx: Tx): Promise<void> {
    await tx(table).insert(columns({ ...token, workspaceId: tx.workspaceId }));
  }

  /**
   * Uses a token up and returns its member; undefined when it does not exist or is no longer valid. A token that was
   * created while its API key was being revoked is rejected because of the key.
   */
  async use(hash: Buffer, now: Date, tx: Tx): Promise<UsedMemberToken | undefined> {
    const [used] = await tx(table)
      .where({ hash, workspace_id: tx.workspaceId })
      .whereNull('used_at')
      .where('expires_at', '>', now)
      .whereNotExists(
        tx('identity.api_keys as k').whereRaw('k.id = member_tokens.api_key_id').whereNotNull('k.revoked_at'),
      )
      .update({ used_at: now })
      .returning<UsedMemberToken[]>([
        'member_id as memberId',
        'role_grants as roleGrants',
        'granted',
        'api_key_id as apiKeyId',
      ]);
    return used;
  }

  /** Lists a member's tokens that can still be used, in the order of their creation. */
  async listUsable(
    memberId: number,
    now: Date,
    page: { sortOrder: 'asc' | 'desc'; limit: number; offset: number },
    tx: Tx,
  ): Promise<{ items: MemberTokenRow[]; total: number }> {
    const usable = tx(table)
      .where(columns({ workspaceId: tx.workspaceId, memberId }))
      .whereNull('used_at')
      .where('expires_at', '>', now);
    const items: MemberTokenRow[] = await usable
      .clone()
      .select(aliases(['id', 'createdAt', 'expiresAt']))
      .orderBy('created_at', page.sortOrder)
      .orderBy('id', page.sortOrder)
      .limit(page.limit)
      .offset(page.offset);
    const counted: { count: number }[] = await usable.clone().count({ count: '*' });
    return { items, total: counted[0]?.count ?? 0 };
  }

  /** Deletes a member's unused token; false when there is none. */
  async removeUnused(memberId: number, id: number, tx: Tx): Promise<boolean> {
    const removed = await tx(table)
      .where(columns({ workspaceId: tx.workspaceId, memberId, id }))
      .whereNull('used_at')
      .delete();
    return removed > 0;
  }

  /** Deletes the unused tokens of these members. Waits for transactions that are using one. */
  async removeUnusedOf(members: readonly Claimant[], tx: AnyTx): Promise<void> {
    await statement(
      tx,
      `delete from ${table} where used_at is null
         and (workspace_id, member_id) in (select * from unnest(?::bigint[], ?::bigint[]))`,
      [members.map(({ workspaceId }) => workspaceId), members.map(({ memberId }) => memberId)],
    );
  }

  /** Deletes the unused tokens that were created with these keys. Waits for transactions that are using one. */
  async removeUnusedOfKeys(apiKeyIds: readonly number[], tx: AnyTx): Promise<void> {
    await tx(table)
      .whereIn('api_key_id', [...apiKeyIds])
      .whereNull('used_at')
      .delete();
  }

  /** Deletes some tokens that expired before a time. */
  async removeExpired(before: Date, tx: Tx): Promise<void> {
    const old = tx(table).select('id').where('expires_at', '<', before).limit(mostRemovedAtOnce);
    await tx(table).whereIn('id', old.forUpdate().skipLocked()).delete();
  }
}
