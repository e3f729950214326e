import { prepared } from '../statement.js';
import type { AnyTx } from '../tx.js';
import { columns, IdentityTable, removeExpiredRows } from './columns.js';

/** What the authorization server stores by the hash of an id that only the holder knows. */
export interface OAuthArtifact {
  /** `AuthorizationCode`, `RefreshToken`, `Session`, `Interaction`, … */
  model: string;
  hash: Buffer;
  grantId: string | null;
  accountId: number | null;
  uidHash: Buffer | null;
  payload: object;
  expiresAt: Date;
}

export interface FoundArtifact {
  payload: Record<string, unknown>;
  consumedAt: Date | null;
}

const table = 'identity.oauth_artifacts';
const replays = 'identity.oauth_replays';
const found = { payload: 'payload', consumedAt: 'consumed_at' };

/** Codes, refresh tokens, sessions and interactions of the authorization server. Only hashes of their ids are stored. */
export class OAuthArtifactsTable extends IdentityTable {
  async upsert(artifact: OAuthArtifact): Promise<void> {
    const { model, hash, grantId, accountId, uidHash, payload, expiresAt } = artifact;
    await prepared(
      this.knex,
      `insert into ${table} (model, hash, grant_id, account_id, uid_hash, payload, expires_at)
       values (?, ?, ?, ?, ?, ?, ?)
       on conflict (model, hash) do update set grant_id = excluded.grant_id, account_id = excluded.account_id,
         uid_hash = excluded.uid_hash, payload = excluded.payload, expires_at = excluded.expires_at`,
      [model, hash, grantId, accountId, uidHash, JSON.stringify(payload), expiresAt],
    );
  }

  async find(model: string, hash: Buffer): Promise<FoundArtifact | undefined> {
    const [artifact] = await prepared<FoundArtifact>(
      this.knex,
      `select payload, consumed_at as "consumedAt" from ${table} where model = ? and hash = ?`,
      [model, hash],
    );
    return artifact;
  }

  async findByUid(model: string, uidHash: Buffer): Promise<FoundArtifact | undefined> {
    return this.knex(table).select(found).where(columns({ model, uidHash })).first();
  }

  /** Marks an artifact as used; false where another request has used it. */
  async consume(model: string, hash: Buffer, at: Date): Promise<boolean> {
    const used = await prepared(
      this.knex,
      `update ${table} set consumed_at = ? where model = ? and hash = ? and consumed_at is null returning model`,
      [at, model, hash],
    );
    return used.length > 0;
  }

  async delete(model: string, hash: Buffer): Promise<void> {
    await this.knex(table).where({ model, hash }).delete();
  }

  /** Deletes what was issued under grants, of one model or of all. */
  async deleteOfGrants(grantIds: readonly string[], model?: string, tx?: AnyTx): Promise<void> {
    const issued = (tx ?? this.knex)(table).whereIn('grant_id', [...grantIds]);
    await (model === undefined ? issued : issued.where({ model })).delete();
  }

  async deleteReplaysOfGrants(grantIds: readonly string[], tx?: AnyTx): Promise<void> {
    await (tx ?? this.knex)(replays)
      .whereIn('grant_id', [...grantIds])
      .delete();
  }

  async removeExpired(before: Date, tx: AnyTx): Promise<void> {
    for (const expired of [table, replays]) await removeExpiredRows(tx, expired, before);
  }
}
