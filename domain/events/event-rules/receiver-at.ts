import type { Tx } from '../../../db/database.js';
import { webhookEndpointAt } from '../../../db/events/webhook-endpoints.js';
import { isOneHostTooMany } from '../../../db/events/webhook-hosts.js';
import { Conflict } from '../../lib/errors.js';

/** Maximum number of hosts that a workspace may add within a day and that have not answered it with 2xx. */
export const mostNewHosts = 200;
const dayMs = 24 * 3_600_000;

/**
 * Returns the id of the receiver at a URL, and creates it if needed.
 *
 * @throws Conflict `too_many_new_receivers` if its host is new, and too many hosts added within a day have not answered
 * yet
 */
export async function receiverAt(tx: Tx, url: string, now: Date): Promise<number> {
  const id = await webhookEndpointAt(tx, url, now);
  const bounds = { now, since: new Date(now.getTime() - dayMs), most: mostNewHosts };
  if (!(await isOneHostTooMany(tx, id, bounds))) return id;
  throw new Conflict(
    'too_many_new_receivers',
    `A workspace can add at most ${mostNewHosts} hosts per day that have not yet answered it with 2xx.`,
  );
}
