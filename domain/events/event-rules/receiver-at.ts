import type { Tx } from '../../../db/database.js';
import { webhookEndpointAt } from '../../../db/events/webhook-endpoints.js';
import { isOneHostTooMany } from '../../../db/events/webhook-hosts.js';
import { Conflict } from '../../lib/errors.js';

/** So many hosts that have never answered a workspace may be new to it within a day. */
export const mostNewHosts = 200;
const dayMs = 24 * 3_600_000;

/**
 * The id of the receiver at a URL, which is made known if it is not.
 *
 * @throws Conflict `too_many_new_receivers` when it is at a new host, and many others of the last day have not answered yet
 */
export async function receiverAt(tx: Tx, url: string, now: Date): Promise<number> {
  const id = await webhookEndpointAt(tx, url, now);
  const bounds = { now, since: new Date(now.getTime() - dayMs), most: mostNewHosts };
  if (!(await isOneHostTooMany(tx, id, bounds))) return id;
  throw new Conflict(
    'too_many_new_receivers',
    `A workspace names at most ${mostNewHosts} hosts within a day that have not answered it with 2xx.`,
  );
}
