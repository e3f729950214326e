import { column, type ValuesOf } from '../lib/table.js';
import { statement } from '../statement.js';
import type { AnyTx } from '../tx.js';
import { aliases, columns, IdentityTable } from './columns.js';

const fields = {
  id: column<number>(),
  kid: column<string>(),
  /** The private key as an encrypted JSON Web Key. */
  privateKey: column<Buffer>(),
  createdAt: column<Date>(),
  /** A new key is published before it signs, so that those who keep the key set know it by then. */
  signsFrom: column<Date>(),
  /** After which it is no longer published; null while no later key signs. */
  expiresAt: column<Date | null>(),
};

export type OAuthKeyRow = ValuesOf<typeof fields>;

const table = 'identity.oauth_keys';

/** The keys that sign ID tokens, which all processes share. */
export class OAuthKeysTable extends IdentityTable {
  /** Lists the keys that are published, the latest first. */
  async list(now: Date, tx?: AnyTx): Promise<OAuthKeyRow[]> {
    return (tx ?? this.knex)(table)
      .select(aliases(fields))
      .where((published) => published.whereNull('expires_at').orWhere('expires_at', '>', now))
      .orderBy('id', 'desc');
  }

  /** Until the transaction ends, no other process creates a key. */
  async hold(tx: AnyTx): Promise<void> {
    await statement(tx, `select pg_advisory_xact_lock(hashtextextended('oauth keys', 0))`, []);
  }

  async insert(key: Omit<OAuthKeyRow, 'id' | 'expiresAt'>, tx: AnyTx): Promise<void> {
    await tx(table).insert(columns(key));
  }

  async expireOthers(kid: string, at: Date, tx: AnyTx): Promise<void> {
    await tx(table)
      .whereNot({ kid })
      .whereNull('expires_at')
      .update(columns({ expiresAt: at }));
  }

  async removeExpired(before: Date, tx: AnyTx): Promise<void> {
    await tx(table).where('expires_at', '<', before).delete();
  }
}
