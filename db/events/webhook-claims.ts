import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { WebhookAttemptModel } from './models/webhook-attempt.js';
import type { WebhookDeliveryRow } from './models/webhook-delivery.js';

/*
 * Statements that look up a delivery by its id test `completed_at is null`, not `status = 'pending'`, so that the index
 * of pending deliveries does not match. PostgreSQL would use that index if it last saw few pending deliveries, and read
 * all of them.
 */

/** A delivery, locked for its next attempt, with the data that the attempt needs. */
export interface HeldForAttempt
  extends Pick<WebhookDeliveryRow, 'trigger' | 'status' | 'attemptCount' | 'nextAttemptAt'> {
  ruleEnabled: boolean;
  ruleDeleted: boolean;
  endpointId: number;
  hostId: number;
  /** Whether the host has ever answered the workspace with 2xx. */
  hasAnswered: boolean;
  /** The time before which a host that has never answered gets no further request. */
  nextTryAt: Date | null;
  url: string;
  meanDurationMs: number;
  eventUuid: string;
  body: string;
}

/**
 * Locks a delivery, its rule and the receiver's host, in the order of all code that locks more than one. Undefined: the
 * delivery is gone, or its rule got another receiver while this statement waited.
 */
export async function holdForAttempt(tx: Tx, deliveryId: number): Promise<HeldForAttempt | undefined> {
  const [held] = await prepared<HeldForAttempt>(
    tx,
    `select d.trigger, d.status, d.attempt_count as "attemptCount", d.next_attempt_at as "nextAttemptAt",
       r.enabled as "ruleEnabled", r.deleted_at is not null as "ruleDeleted",
       h.id as "hostId", h.answered_at is not null as "hasAnswered", h.next_try_at as "nextTryAt",
       e.id as "endpointId", e.url, e.mean_duration_ms as "meanDurationMs",
       v.uuid as "eventUuid", v.body
     from webhook_deliveries d
     join event_rules r on r.id = d.event_rule_id
     join webhook_endpoints e on e.id = r.webhook_endpoint_id
     join webhook_hosts h on h.id = e.webhook_host_id
     join events v on v.id = d.event_id
     where d.id = ?
     for no key update of d for share of r for no key update of h`,
    [deliveryId],
  );
  return held;
}

interface AttemptToBegin {
  deliveryId: number;
  now: Date;
  leaseUntil: Date;
  /** Maximum number of concurrent requests: to a URL, to a host that has answered with 2xx, and to one that has not. */
  limits: { url: number; host: number; newHost: number };
  /** No attempt is begun after this many lost attempts in a row, until `countLost` has counted them as a failure. */
  maxLost: number;
}

export interface StartedAttempt {
  id: number;
  /** From 1, lost attempts included. */
  number: number;
  /** Number of failed attempts before it; lost ones do not count. */
  failures: number;
}

/** How many of the latest attempts of a delivery `d` in a row were lost, and not yet counted as a failure. */
const lostInARow = `(
  select count(*)::int from webhook_attempts a
  where a.webhook_delivery_id = d.id and (a.finished_at is null or a.error_code = 'lost')
    and a.number > (
      select coalesce(max(f.number), 0) from webhook_attempts f
      where f.webhook_delivery_id = d.id and f.finished_at is not null and f.error_code is distinct from 'lost'))`;

/**
 * Begins the delivery's next attempt if it is due, none is under way and its receiver has capacity. Attempts whose
 * lease is over are marked as lost. Send it after `holdForAttempt` in one message: a single statement would count what
 * it saw before it waited for the locks.
 */
export async function beginAttempt(tx: Tx, attempt: AttemptToBegin): Promise<StartedAttempt | undefined> {
  const { deliveryId, now, leaseUntil, limits, maxLost } = attempt;
  const [begun] = await prepared<StartedAttempt>(
    tx,
    `with due as (
       select d.workspace_id, d.id, d.attempt_count + 1 as number, r.webhook_endpoint_id, e.webhook_host_id
       from webhook_deliveries d
       join event_rules r on r.id = d.event_rule_id
       join webhook_endpoints e on e.id = r.webhook_endpoint_id
       join webhook_hosts h on h.id = e.webhook_host_id
       where d.id = ? and d.completed_at is null and d.next_attempt_at <= ?
         and r.deleted_at is null and (r.enabled or d.trigger = 'test')
         and not exists (
           select from webhook_attempts a
           where a.webhook_delivery_id = d.id and a.finished_at is null and a.lease_until > ?)
         and ${lostInARow} < ?
         and (h.answered_at is not null or d.trigger = 'test' or h.next_try_at is null or h.next_try_at <= ?)
         and (
           select count(*) < case when h.answered_at is null then ?::int else ?::int end
             and count(*) filter (where a.webhook_endpoint_id = e.id) < ?
           from webhook_attempts a
           where a.webhook_host_id = h.id and a.finished_at is null and a.lease_until > ?)
     ),
     lost as (
       update webhook_attempts a set finished_at = ?, error_code = 'lost' from due
       where a.webhook_delivery_id = due.id and a.finished_at is null
     ),
     counted as (
       update webhook_deliveries d set attempt_count = due.number from due where d.id = due.id
     )
     insert into webhook_attempts
       (workspace_id, webhook_delivery_id, webhook_endpoint_id, webhook_host_id, number, started_at, lease_until)
     select workspace_id, id, webhook_endpoint_id, webhook_host_id, number, ?, ? from due
     returning id, number, (
       select count(*)::int from webhook_attempts a
       where a.webhook_delivery_id = webhook_attempts.webhook_delivery_id and a.finished_at is not null
         and a.error_code is distinct from 'lost') as failures`,
    [deliveryId, now, now, maxLost, now, limits.newHost, limits.host, limits.url, now, now, now, leaseUntil],
  );
  return begun;
}

/**
 * Counts the latest attempt of a delivery as a failure, `lost_repeatedly`, if `maxLost` in a row were lost, and
 * returns the number of failures. The caller holds the delivery's row lock, and no attempt may be under way.
 */
export async function countLost(
  tx: Tx,
  { deliveryId, maxLost, now }: { deliveryId: number; maxLost: number; now: Date },
): Promise<number | undefined> {
  const [counted] = await prepared<{ failures: number }>(
    tx,
    `with due as (
       select d.id, d.attempt_count from webhook_deliveries d where d.id = ? and ${lostInARow} >= ?
     ),
     ended as (
       update webhook_attempts a
       set finished_at = coalesce(a.finished_at, ?),
         error_code = case when a.number = due.attempt_count then 'lost_repeatedly' else 'lost' end
       from due
       where a.webhook_delivery_id = due.id and (a.finished_at is null or a.number = due.attempt_count)
     )
     select (
       select count(*)::int + 1 from webhook_attempts a
       where a.webhook_delivery_id = due.id and a.finished_at is not null and a.error_code is distinct from 'lost'
     ) as failures
     from due`,
    [deliveryId, maxLost, now],
  );
  return counted?.failures;
}

interface QueueForReceiver {
  deliveryId: number;
  ruleId: number;
  now: Date;
  /** The attempt is due no earlier than this. */
  soonest: Date;
  /** Maximum number of concurrent requests to the URL; a host that has never answered gets one at a time. */
  limit: number;
  /** Bounds of the interval between places: the minimum, and the maximum beyond `nearMs`. */
  stepMs: { min: number; far: number };
  nearMs: number;
  maxMs: number;
}

/**
 * Takes the next place in a receiver's queue for a delivery, whose row lock the caller holds, and schedules its next
 * attempt for it. Places are as far apart as one of `limit` concurrent requests is answered on average; a request is
 * assumed to take a second at first. Undefined: the delivery or its rule is gone, or the delivery is settled.
 */
export async function queueForReceiver(tx: Tx, queue: QueueForReceiver): Promise<Date | undefined> {
  const { deliveryId, ruleId, now, soonest, limit, stepMs, nearMs, maxMs } = queue;
  const inMs = (milliseconds: number) => new Date(now.getTime() + milliseconds);
  const [queued] = await prepared<{ at: Date }>(
    tx,
    `with paced as (
       select e.id, greatest(
         case e.mean_duration_ms when 0 then 1000 else e.mean_duration_ms end
           / case when h.answered_at is null then 1 else ?::float8 end, ?) as step_ms
       from event_rules r
       join webhook_endpoints e on e.id = r.webhook_endpoint_id
       join webhook_hosts h on h.id = e.webhook_host_id
       where r.id = ?
     ),
     place as (
       update webhook_endpoints e
       set next_slot_at = least(greatest(e.next_slot_at, ?) + make_interval(secs =>
         case when e.next_slot_at > ? then least(paced.step_ms, ?) else paced.step_ms end / 1000), ?)
       from paced where e.id = paced.id
       returning e.next_slot_at as slot
     )
     update webhook_deliveries d set next_attempt_at = greatest(d.next_attempt_at, place.slot, ?)
     from place where d.id = ? and d.completed_at is null
     returning d.next_attempt_at as at`,
    [limit, stepMs.min, ruleId, now, inMs(nearMs), stepMs.far, inMs(maxMs), soonest, deliveryId],
  );
  return queued?.at;
}

/** Returns when the lease of the delivery's current attempt ends; undefined where none is under way. */
export async function findLease(tx: Tx, deliveryId: number, now: Date): Promise<Date | undefined> {
  const underWay = 'webhook_delivery_id = ? and finished_at is null and lease_until > ?';
  const [attempt] = await WebhookAttemptModel.pick(tx, ['leaseUntil'], underWay, [deliveryId, now]);
  return attempt?.leaseUntil;
}
