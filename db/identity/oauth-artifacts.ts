import type { RowOf } from '../lib/table-model.js';
import type { AnyTx } from '../tx.js';
import { IdentityTable, removeExpiredRows } from './identity-table.js';
import { OAuthArtifactModel, OAuthReplayModel } from './models/oauth-artifact.js';

type OAuthArtifactRow = RowOf<OAuthArtifactModel>;

/** An artifact as it is stored. */
export type OAuthArtifact = Omit<OAuthArtifactRow, 'id' | 'consumedAt'> & {
  hash: Buffer;
  uidHash: Buffer | null;
};

export type FoundArtifact = Pick<OAuthArtifactRow, 'payload' | 'consumedAt'>;

const isOfGrants = 'grant_id = any(?)';

/** Codes, refresh tokens, sessions and interactions of the authorization server. Only hashes of their ids are stored. */
export class OAuthArtifactsTable extends IdentityTable {
  async upsert(artifact: OAuthArtifact): Promise<void> {
    await OAuthArtifactModel.upsert(this.knex, artifact, ['model', 'hash']);
  }

  async find(model: string, hash: Buffer): Promise<FoundArtifact | undefined> {
    return OAuthArtifactModel.first(this.knex, 'model = ? and hash = ?', [model, hash]);
  }

  async findByUid(model: string, uidHash: Buffer): Promise<FoundArtifact | undefined> {
    return OAuthArtifactModel.first(this.knex, 'model = ? and uid_hash = ?', [model, uidHash]);
  }

  /** Marks an artifact as used; false where another request has used it. */
  async consume(model: string, hash: Buffer, at: Date): Promise<boolean> {
    const isUnused = 'model = ? and hash = ? and consumed_at is null';
    return (await OAuthArtifactModel.updateWhere(this.knex, { consumedAt: at }, isUnused, [model, hash])) > 0;
  }

  async delete(model: string, hash: Buffer): Promise<void> {
    await OAuthArtifactModel.deleteWhere(this.knex, 'model = ? and hash = ?', [model, hash]);
  }

  /** Deletes what was issued under grants, of one model or of all. */
  async deleteOfGrants(grantIds: readonly string[], model?: string, tx?: AnyTx): Promise<void> {
    const knex = tx ?? this.knex;
    if (model === undefined) await OAuthArtifactModel.deleteWhere(knex, isOfGrants, [grantIds]);
    else await OAuthArtifactModel.deleteWhere(knex, `${isOfGrants} and model = ?`, [grantIds, model]);
  }

  async deleteReplaysOfGrants(grantIds: readonly string[], tx?: AnyTx): Promise<void> {
    await OAuthReplayModel.deleteWhere(tx ?? this.knex, isOfGrants, [grantIds]);
  }

  async removeExpired(before: Date, tx: AnyTx): Promise<void> {
    for (const model of [OAuthArtifactModel, OAuthReplayModel]) await removeExpiredRows(tx, model, before);
  }
}
