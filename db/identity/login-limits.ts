import { changedBy } from '../statement.js';
import type { IdentityTx } from '../tx.js';
import { removeExpiredRows } from './identity-table.js';
import { LoginLimitModel } from './models/login-limit.js';

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
    await changedBy(
      tx,
      `insert into identity.login_limits as l (key, count, expires_at) values (?, 0, ?)
       on conflict (key) do update set
         count = case when l.expires_at <= ? then 0 else l.count end,
         expires_at = case when l.expires_at <= ? then excluded.expires_at else l.expires_at end`,
      [key, expiresAt, now, now],
    );
    const taken = await changedBy(
      tx,
      'update identity.login_limits set count = count + 1 where key = ? and count < ?',
      [key, limit.most],
    );
    if (taken > 0) return undefined;
    return (await LoginLimitModel.first(tx, 'key = ?', [key]))?.expiresAt ?? expiresAt;
  }

  async giveBack(key: Buffer, tx: IdentityTx): Promise<void> {
    const text = 'update identity.login_limits set count = count - 1 where key = ? and count > 0';
    await changedBy(tx, text, [key]);
  }

  async forget(key: Buffer, tx: IdentityTx): Promise<void> {
    await LoginLimitModel.deleteWhere(tx, 'key = ?', [key]);
  }

  async removeExpired(before: Date, tx: IdentityTx): Promise<void> {
    await removeExpiredRows(tx, LoginLimitModel, before, 'key');
  }
}
