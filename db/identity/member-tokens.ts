import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import type { AnyTx, Tx } from '../tx.js';
import { type Claimant, isOfMembers, placesOf } from './claims.js';
import { IdentityTable, pageOf, removeExpiredRows } from './identity-table.js';
import { MemberTokenModel, type MemberTokenRow } from './models/member-token.js';

type NewMemberToken = Pick<MemberTokenRow, 'memberId' | 'apiKeyId' | 'expiresAt' | 'createdAt'> & {
  hash: Buffer;
  roleGrants: readonly string[];
  granted: readonly string[];
};

const isUnused = 'workspace_id = ? and member_id = ? and used_at is null';

/** Tokens with which a member can sign in once. Only hashes are stored. */
export class MemberTokensTable extends IdentityTable {
  async workspaceOf(hash: Buffer): Promise<number | undefined> {
    return (await MemberTokenModel.pick(this.knex, ['workspaceId'], 'hash = ?', [hash]))[0]?.workspaceId;
  }

  async insert(token: NewMemberToken, tx: Tx): Promise<void> {
    await MemberTokenModel.insert(tx, { ...token, workspaceId: tx.workspaceId });
  }

  /** Uses a token up. The look at its key rejects a token that was created while the key was being revoked. */
  async use(hash: Buffer, now: Date, tx: Tx): Promise<MemberTokenRow | undefined> {
    const [used] = await MemberTokenModel.updateReturning(
      tx,
      { usedAt: now },
      `hash = ? and workspace_id = ? and used_at is null and expires_at > ? and not exists (
         select from identity.api_keys k where k.id = member_tokens.api_key_id and k.revoked_at is not null)`,
      [hash, tx.workspaceId, now],
    );
    return used;
  }

  /** Lists a member's tokens that can still be used, in the order of their creation. */
  async listUsable(
    memberId: number,
    now: Date,
    page: Omit<PageRequest, 'sortBy'>,
    tx: Tx,
  ): Promise<PageOf<MemberTokenRow>> {
    const usable = {
      select: MemberTokenModel.columns,
      from: `identity.member_tokens where ${isUnused} and expires_at > ?`,
      bindings: [tx.workspaceId, memberId, now],
    };
    return pageOf(tx, usable, page, 'created_at');
  }

  /** Deletes a member's unused token; false when there is none. */
  async removeUnused(memberId: number, id: number, tx: Tx): Promise<boolean> {
    const removed = `${isUnused} and id = ?`;
    return (await MemberTokenModel.deleteWhere(tx, removed, [tx.workspaceId, memberId, id])) > 0;
  }

  /** Deletes the unused tokens of these members. Waits for transactions that are using one. */
  async removeUnusedOf(members: readonly Claimant[], tx: AnyTx): Promise<void> {
    await MemberTokenModel.deleteWhere(tx, `used_at is null and ${isOfMembers}`, placesOf(members));
  }

  /** Seals the unused tokens of these members. Waits for transactions that are using one. */
  async sealAllOf(members: readonly Claimant[], at: Date, tx: AnyTx): Promise<void> {
    const unsealed = `used_at is null and sealed_at is null and ${isOfMembers}`;
    await MemberTokenModel.updateWhere(tx, { sealedAt: at }, unsealed, placesOf(members));
  }

  /** Deletes the unused tokens that were created with these keys. Waits for transactions that are using one. */
  async removeUnusedOfKeys(apiKeyIds: readonly number[], tx: AnyTx): Promise<void> {
    await MemberTokenModel.deleteWhere(tx, 'api_key_id = any(?) and used_at is null', [apiKeyIds]);
  }

  async removeExpired(before: Date, tx: Tx): Promise<void> {
    await removeExpiredRows(tx, MemberTokenModel, before);
  }
}
