import type { IdentityTx } from '../tx.js';
import { removeExpiredRows } from './columns.js';

const table = 'identity.login_limits';

/** How often something may happen within a time that begins with its first occurrence. */
export interface LoginLimit {
  most: number;
  withinMs: number;
}

/** Counters of sign-in attempts, by the service's clock, written in the transaction of what they protect. */
export class LoginLimitsTable {
  /** Increments a counter and locks it. If its limit is reached, returns when the count starts again instead. */
  async take(key: Buffer, limit: LoginLimit, now: Date, tx: IdentityTx): Promise<Date | undefined> {
    const expiresAt = new Date(now.getTime() + limit.withinMs);
    await tx.raw(
      `insert into ${table} as l (key, count, expires_at) values (?, 0, ?)
       on conflict (key) do update set
         count = case when l.expires_at <= ? then 0 else l.count end,
         expires_at = case when l.expires_at <= ? then excluded.expires_at else l.expires_at end`,
      [key, expiresAt, now, now],
    );
    const taken = await tx(table).where({ key }).where('count', '<', limit.most).increment('count', 1);
    if (taken > 0) return undefined;
    const full: { expires_at: Date } = await tx(table).where({ key }).first('expires_at');
    return full.expires_at;
  }

  async giveBack(key: Buffer, tx: IdentityTx): Promise<void> {
    await tx(table).where({ key }).where('count', '>', 0).decrement('count', 1);
  }

  async forget(key: Buffer, tx: IdentityTx): Promise<void> {
    await tx(table).where({ key }).delete();
  }

  async removeExpired(before: Date, tx: IdentityTx): Promise<void> {
    await removeExpiredRows(tx, table, before, 'key');
  }
}
