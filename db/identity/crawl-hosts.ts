import { createHash } from 'node:crypto';
import type { Tx } from '../tx.js';
import { IdentityTable } from './columns.js';

const table = 'identity.crawl_hosts';
/** A turn that somebody has is soon over; how soon is not known. */
const lookAgainMs = 2_000;

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
    const taken = await tx.raw(
      `insert into ${table} as h (host_hash, free_at, held_until) values (?, ?, ?)
       on conflict (host_hash) do update set held_until = excluded.held_until
         where h.free_at <= ? and (h.held_until is null or h.held_until <= ?)
       returning host_hash`,
      [hash, now, until, now, now],
    );
    if (taken.rows.length > 0) return undefined;
    const found = await tx(table).where({ host_hash: hash }).first('free_at');
    const freeAt: Date = found?.free_at ?? now;
    return freeAt > now ? freeAt : new Date(now.getTime() + lookAgainMs);
  }

  /** Gives the turn back that was taken until then: the host may be asked again from `freeAt` on. */
  async release(host: string, { until, freeAt }: { until: Date; freeAt: Date }): Promise<void> {
    await this.knex(table)
      .where({ host_hash: hashOf(host), held_until: until })
      .update({ held_until: null, free_at: freeAt });
  }

  /** Deletes the hosts that nobody has asked since then. */
  async forget(before: Date): Promise<void> {
    await this.knex(table)
      .where('free_at', '<', before)
      .andWhere((not) => {
        not.whereNull('held_until').orWhere('held_until', '<', before);
      })
      .delete();
  }
}

function hashOf(host: string): Buffer {
  return createHash('sha256').update(host).digest();
}
