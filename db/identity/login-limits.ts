import type { IdentityTx } from '../database.js';
import { removeExpiredRows } from './columns.js';

const table = 'identity.login_limits';

/** How often something may happen within a time that begins with its first occurrence. */
export interface LoginLimit {
  most: number;
  withinMs: number;
}

/**
 * Counters of sign-in attempts. They use the service's clock, and are written in the transaction of the rows that they
 * protect.
 */
export class LoginLimitsTable {
  /**
   * Increments a counter, unless its limit is reached: then returns when the count starts again. The counter is locked
   * until the transaction ends.
   */
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

  /** Decrements a counter, for an attempt that turned out to be legitimate. */
  async giveBack(key: Buffer, tx: IdentityTx): Promise<void> {
    await tx(table).where({ key }).where('count', '>', 0).decrement('count', 1);
  }

  /** Resets a counter. */
  async forget(key: Buffer, tx: IdentityTx): Promise<void> {
    await tx(table).where({ key }).delete();
  }

  /** Deletes some counters whose time was over before a time. */
  async removeExpired(before: Date, tx: IdentityTx): Promise<void> {
    await removeExpiredRows(tx, table, before, 'key');
  }
}
