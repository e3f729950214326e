import type { Knex } from 'knex';
import type { AnyTx, Tx } from '../database.js';
import { statement } from '../statement.js';
import type { Claimant } from './claims.js';
import { columns } from './columns.js';

export interface NewMemberToken {
  /** SHA-256 of the whole token. */
  hash: Buffer;
  memberId: number;
  expiresAt: Date;
  createdAt: Date;
}

const table = 'identity.member_tokens';
const mostRemovedAtOnce = 100;

/** Tokens by which a member may sign in once. Only hashes are kept. */
export class MemberTokensTable {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** In which workspace a token is to be used; undefined when there is none such. */
  async workspaceOf(hash: Buffer): Promise<number | undefined> {
    const found: { workspace_id: number } | undefined = await this.#knex(table)
      .where({ hash })
      .first('workspace_id');
    return found?.workspace_id;
  }

  async insert(token: NewMemberToken, tx: Tx): Promise<void> {
    await tx(table).insert(columns({ ...token, workspaceId: tx.workspaceId }));
  }

  /** Uses a token up, and tells whose it was; undefined when it is not one, or not any more. */
  async use(hash: Buffer, now: Date, tx: Tx): Promise<number | undefined> {
    const [used] = await tx(table)
      .where({ hash, workspace_id: tx.workspaceId })
      .whereNull('used_at')
      .where('expires_at', '>', now)
      .update({ used_at: now })
      .returning<{ member_id: number }[]>('member_id');
    return used?.member_id;
  }

  /** Removes those of these members that nobody used. Whoever is using one at this moment is waited for. */
  async removeUnusedOf(members: readonly Claimant[], tx: AnyTx): Promise<void> {
    await statement(
      tx,
      `delete from ${table} where used_at is null
         and (workspace_id, member_id) in (select * from unnest(?::bigint[], ?::bigint[]))`,
      [members.map(({ workspaceId }) => workspaceId), members.map(({ memberId }) => memberId)],
    );
  }

  /** Removes some that expired before. */
  async removeExpired(before: Date, tx: Tx): Promise<void> {
    const old = tx(table).select('id').where('expires_at', '<', before).limit(mostRemovedAtOnce);
    await tx(table).whereIn('id', old.forUpdate().skipLocked()).delete();
  }
}
