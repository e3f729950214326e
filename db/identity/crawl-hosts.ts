import { createHash } from 'node:crypto';
import { changedBy } from '../statement.js';
import type { Tx } from '../tx.js';
import { IdentityTable } from './identity-table.js';
import { CrawlHostModel } from './models/crawl-host.js';

/** A turn that somebody has is soon over; how soon is not known. */
const checkAgainMs = 2_000;

/**
 * Whose turn it is at a host that crawls read, for all workspaces and processes: one request at a time, with a pause between. A host
 * is known by a digest.
 */
export class CrawlHostsTable extends IdentityTable {
  /**
   * Takes the turn at a host, until it is given back, or `until` if it never is.
   * @returns undefined, or when to ask again, if somebody else has it or the host rests
   */
  async take(host: string, { now, until }: { now: Date; until: Date }, tx: Tx): Promise<Date | undefined> {
    const hash = hashOf(host);
    const taken = await changedBy(
      tx,
      `insert into identity.crawl_hosts as h (host_hash, free_at, held_until) values (?, ?, ?)
       on conflict (host_hash) do update set held_until = excluded.held_until
         where h.free_at <= ? and (h.held_until is null or h.held_until <= ?)`,
      [hash, now, until, now, now],
    );
    if (taken > 0) return undefined;
    const { freeAt } = (await CrawlHostModel.first(tx, 'host_hash = ?', [hash])) ?? { freeAt: now };
    return freeAt > now ? freeAt : new Date(now.getTime() + checkAgainMs);
  }

  /** Gives the turn back that was taken until then: the host may be asked again from `freeAt` on. */
  async release(host: string, { until, freeAt }: { until: Date; freeAt: Date }): Promise<void> {
    const isTaken = 'host_hash = ? and held_until = ?';
    await CrawlHostModel.updateWhere(this.knex, { heldUntil: null, freeAt }, isTaken, [hashOf(host), until]);
  }

  /** Deletes the hosts that nobody has asked since then. */
  async forget(before: Date): Promise<void> {
    const isForgotten = 'free_at < ? and (held_until is null or held_until < ?)';
    await CrawlHostModel.deleteWhere(this.knex, isForgotten, [before, before]);
  }
}

function hashOf(host: string): Buffer {
  return createHash('sha256').update(host).digest();
}
