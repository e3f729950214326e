import { createHash } from 'node:crypto';
import { idCondition } from '../lib/id-condition.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { WebhookEndpointModel } from './models/webhook-endpoint.js';

/** A receiver's URL, and when its host first answered with 2xx. */
type ReceiverPlace = { url: string; answeredAt: Date | null };

/** Returns the URLs of these receivers, by their ids. */
export async function placesOfWebhookEndpoints(
  tx: Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ReceiverPlace>> {
  const { condition, binding } = idCondition('e.id', ids);
  const rows = await prepared<ReceiverPlace & { id: number }>(
    tx,
    `select e.id, e.url, h.answered_at as "answeredAt"
     from webhook_endpoints e join webhook_hosts h on h.id = e.webhook_host_id where ${condition}`,
    [binding],
  );
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}

/** Returns the id of the receiver with a URL, created if necessary and locked, because unused ones are deleted. */
export async function webhookEndpointAt(tx: Tx, url: string, now: Date): Promise<number> {
  const digest = createHash('sha256').update(url).digest();
  for (;;) {
    const values = { url, urlDigest: digest, createdAt: now };
    const inserted = await WebhookEndpointModel.insertOnce(tx, values, ['urlDigest']);
    if (inserted !== undefined) return inserted.id;
    // A separate statement, because a statement does not see what others committed while it waited for them.
    const same = 'workspace_id = ? and url_digest = ? for key share';
    const [found] = await WebhookEndpointModel.pick(tx, ['id'], same, [tx.workspaceId, digest]);
    if (found !== undefined) return found.id;
  }
}

/**
 * Ends the probation of a host, once (docs/decisions/0078-what-reaches-strangers.md), and clears its receivers' queues.
 * Receivers that are locked are skipped, because their holders may be waiting for the host.
 */
export async function recordAnswered(tx: Tx, hostId: number, now: Date): Promise<void> {
  await prepared(
    tx,
    `with answered as (
       update webhook_hosts set answered_at = ?, failures = 0, next_try_at = null
       where id = ? and answered_at is null
       returning id
     ),
     waited_for as (
       select e.id from answered join webhook_endpoints e on e.webhook_host_id = answered.id
       where e.next_slot_at is not null for update of e skip locked
     )
     update webhook_endpoints e set next_slot_at = null from waited_for where e.id = waited_for.id`,
    [now, hostId],
  );
}

/** Pauses requests to a host that has never answered: twice as long after each failure, up to the longest pause. */
export async function recordUnanswered(
  tx: Tx,
  hostId: number,
  { now, firstMs, maxMs }: { now: Date; firstMs: number; maxMs: number },
): Promise<void> {
  await prepared(
    tx,
    `update webhook_hosts
     set failures = failures + 1,
       next_try_at = ?::timestamptz + make_interval(secs => least(? * 2 ^ least(failures, 30), ?) / 1000)
     where id = ? and answered_at is null`,
    [now, firstMs, maxMs, hostId],
  );
}

/** Whether a receiver's host was created just now and is one of more than `most` that have never answered. */
export async function isOneHostTooMany(
  tx: Tx,
  endpointId: number,
  { now, since, most }: { now: Date; since: Date; most: number },
): Promise<boolean> {
  const [asked] = await prepared<{ tooMany: boolean }>(
    tx,
    `select exists (
         select from webhook_endpoints e join webhook_hosts h on h.id = e.webhook_host_id
         where e.id = ? and h.answered_at is null and h.created_at >= ?
       ) and (select count(*) from webhook_hosts where answered_at is null and created_at > ?) > ? as "tooMany"`,
    [endpointId, now, since, most],
  );
  return asked?.tooMany ?? false;
}
