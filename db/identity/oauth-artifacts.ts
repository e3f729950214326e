import type { AnyTx } from '../database.js';
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

export interface StoredReplay {
  hash: Buffer;
  clientId: string;
  grantId: string;
  answer: Buffer;
  expiresAt: Date;
}

const table = 'identity.oauth_artifacts';
const replays = 'identity.oauth_replays';
const found = { payload: 'payload', consumedAt: 'consumed_at' };

/** Codes, refresh tokens, sessions and interactions of the authorization server. Only hashes of their ids are stored. */
export class OAuthArtifactsTable extends IdentityTable {
  async upsert(artifact: OAuthArtifact): Promise<void> {
    const row = columns({ ...artifact, payload: JSON.stringify(artifact.payload) });
    await this.knex(table).insert(row).onConflict(['model', 'hash']).merge();
  }

  async find(model: string, hash: Buffer): Promise<FoundArtifact | undefined> {
    return this.knex(table).select(found).where({ model, hash }).first();
  }

  async findByUid(model: string, uidHash: Buffer): Promise<FoundArtifact | undefined> {
    return this.knex(table).select(found).where(columns({ model, uidHash })).first();
  }

  /** Marks an artifact as used; false where another request has used it. */
  async consume(model: string, hash: Buffer, at: Date): Promise<boolean> {
    const used = await this.knex(table)
      .where({ model, hash })
      .whereNull('consumed_at')
      .update({ consumed_at: at });
    return used > 0;
  }

  async delete(model: string, hash: Buffer): Promise<void> {
    await this.knex(table).where({ model, hash }).delete();
  }

  /** Deletes what was issued under grants, of one model or of all. */
  async deleteOfGrants(grantIds: readonly string[], model?: string, tx?: AnyTx): Promise<void> {
    const issued = (tx ?? this.knex)(table).whereIn('grant_id', [...grantIds]);
    await (model === undefined ? issued : issued.where({ model })).delete();
  }

  /** Keeps the answer to a refresh for clients that lose it; the first one stays. */
  async keepReplay(replay: StoredReplay): Promise<void> {
    await this.knex(replays).insert(columns(replay)).onConflict('hash').ignore();
  }

  /** Finds the answer to an earlier use of a refresh token by the same client, while its grant is in force. */
  async findReplay(
    hash: Buffer,
    clientId: string,
    now: Date,
  ): Promise<{ answer: Buffer; grantId: string } | undefined> {
    return this.knex(`${replays} as r`)
      .join('identity.oauth_grants as g', 'g.grant_id', 'r.grant_id')
      .select({ answer: 'r.answer', grantId: 'r.grant_id' })
      .where({ 'r.hash': hash, 'r.client_id': clientId })
      .where('r.expires_at', '>', now)
      .whereNull('g.revoked_at')
      .first();
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
