import type { Tx } from '../database.js';
import { prepared } from '../statement.js';

/*
 * A host is the host name in the URLs of a workspace's receivers, whatever the port. Its capacity is counted under its
 * row lock, and it is on probation until it has answered with 2xx (docs/decisions/0078-what-reaches-strangers.md).
 */

/**
 * Records, once, that a host has answered with 2xx, and clears its receivers' queues, so that later deliveries need not
 * wait behind the places given before. Receivers that are locked are skipped, because their holders may be waiting for
 * the host.
 */
export async function noteAnswered(tx: Tx, hostId: number, now: Date): Promise<void> {
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

export interface PauseAfterFailure {
  now: Date;
  firstMs: number;
  longestMs: number;
}

/** Pauses requests to a host that has never answered: twice as long after each failure, up to the longest pause. */
export async function noteUnanswered(
  tx: Tx,
  hostId: number,
  { now, firstMs, longestMs }: PauseAfterFailure,
): Promise<void> {
  await prepared(
    tx,
    `update webhook_hosts
     set failures = failures + 1,
       next_try_at = ?::timestamptz + make_interval(secs => least(? * 2 ^ least(failures, 30), ?) / 1000)
     where id = ? and answered_at is null`,
    [now, firstMs, longestMs, hostId],
  );
}

/**
 * Whether a receiver's host was created just now and exceeds the limit on hosts that were created since a time and have
 * never answered.
 */
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
