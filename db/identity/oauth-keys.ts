import { statement } from '../statement.js';
import type { AnyTx } from '../tx.js';
import { IdentityTable } from './identity-table.js';
import { OAuthKeyModel, type OAuthKeyRow } from './models/oauth-key.js';

/** The keys that sign ID tokens, which all processes share. */
export class OAuthKeysTable extends IdentityTable {
  /** Lists the keys that are published, the latest first. */
  async list(now: Date, tx?: AnyTx): Promise<OAuthKeyRow[]> {
    const isPublished = 'expires_at is null or expires_at > ?';
    return OAuthKeyModel.where(tx ?? this.knex, `${isPublished} order by id desc`, [now]);
  }

  /** Until the transaction ends, no other process creates a key. */
  async hold(tx: AnyTx): Promise<void> {
    await statement(tx, `select pg_advisory_xact_lock(hashtextextended('oauth keys', 0))`, []);
  }

  async insert(key: Omit<OAuthKeyRow, 'id' | 'expiresAt'>, tx: AnyTx): Promise<void> {
    await OAuthKeyModel.insert(tx, key);
  }

  async expireOthers(kid: string, at: Date, tx: AnyTx): Promise<void> {
    await OAuthKeyModel.updateWhere(tx, { expiresAt: at }, 'kid <> ? and expires_at is null', [kid]);
  }

  async removeExpired(before: Date, tx: AnyTx): Promise<void> {
    await OAuthKeyModel.deleteWhere(tx, 'expires_at < ?', [before]);
  }
}
