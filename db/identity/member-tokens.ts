import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { column, type ValuesOf } from '../lib/table.js';
import { statement } from '../statement.js';
import type { AnyTx, Tx } from '../tx.js';
import type { Claimant } from './claims.js';
import { aliases, columns, IdentityTable, pageOf, removeExpiredRows } from './columns.js';

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

const fields = { id: column<number>(), createdAt: column<Date>(), expiresAt: column<Date>() };

export type MemberTokenRow = ValuesOf<typeof fields>;

export type UsedMemberToken = Pick<NewMemberToken, 'memberId' | 'apiKeyId'> &
  Record<'roleGrants' | 'granted', string[] | null> & {
    /** Since when records that are written are kept from it. */
    sealedAt: Date | null;
  };

const table = 'identity.member_tokens';

/** Tokens with which a member can sign in once. Only hashes are stored. */
export class MemberTokensTable extends IdentityTable {
  async workspaceOf(hash: Buffer): Promise<number | undefined> {
    const found: { workspace_id: number } | undefined = await this.knex(table)
      .where({ hash })
      .first('workspace_id');
    return found?.workspace_id;
  }

  async insert(token: NewMemberToken, tx: Tx): Promise<void> {
    await tx(table).insert(columns({ ...token, workspaceId: tx.workspaceId }));
  }

  /** Uses a token up. The look at its key rejects a token that was created while the key was being revoked. */
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
        'sealed_at as sealedAt',
      ]);
    return used;
  }

  /** Lists a member's tokens that can still be used, in the order of their creation. */
  async listUsable(
    memberId: number,
    now: Date,
    page: Omit<PageRequest, 'sortBy'>,
    tx: Tx,
  ): Promise<PageOf<MemberTokenRow>> {
    const usable = tx(table)
      .select(aliases(fields))
      .where(columns({ workspaceId: tx.workspaceId, memberId }))
      .whereNull('used_at')
      .where('expires_at', '>', now);
    return pageOf(usable, page, 'created_at');
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

  /** Seals the unused tokens of these members. Waits for transactions that are using one. */
  async sealAllOf(members: readonly Claimant[], at: Date, tx: AnyTx): Promise<void> {
    await statement(
      tx,
      `update ${table} set sealed_at = ? where used_at is null and sealed_at is null
         and (workspace_id, member_id) in (select * from unnest(?::bigint[], ?::bigint[]))`,
      [at, members.map(({ workspaceId }) => workspaceId), members.map(({ memberId }) => memberId)],
    );
  }

  /** Deletes the unused tokens that were created with these keys. Waits for transactions that are using one. */
  async removeUnusedOfKeys(apiKeyIds: readonly number[], tx: AnyTx): Promise<void> {
    await tx(table)
      .whereIn('api_key_id', [...apiKeyIds])
      .whereNull('used_at')
      .delete();
  }

  async removeExpired(before: Date, tx: Tx): Promise<void> {
    await removeExpiredRows(tx, table, before);
  }
}
