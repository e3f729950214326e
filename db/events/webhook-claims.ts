import type { Tx } from '../database.js';
import { prepared } from '../statement.js';
import type { WebhookDeliveryRow } from './models/webhook-delivery.js';

/*
 * That a delivery is pending is written as `completed_at is null` where one is looked up by its id: the index of those that
 * are pending does not fit then. PostgreSQL would take it when it last saw few of them, and read all that wait.
 */

/** A delivery, held for its next attempt, with what the attempt needs. */
export interface HeldForAttempt
  extends Pick<WebhookDeliveryRow, 'trigger' | 'status' | 'attemptCount' | 'nextAttemptAt'> {
  ruleEnabled: boolean;
  ruleDeleted: boolean;
  endpointId: number;
  hostId: number;
  /** Whether the host has ever answered the workspace with 2xx. */
  hasAnswered: boolean;
  /** Until when a host that has not is left alone. */
  nextTryAt: Date | null;
  url: string;
  meanDurationMs: number;
  eventUuid: string;
  body: string;
}

/**
 * Holds a delivery, its rule and the receiver's host, in that order, as everything does that changes more than one of them.
 *
 * @returns undefined when it is gone, or was given another receiver while this waited
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

export interface AttemptToBegin {
  deliveryId: number;
  now: Date;
  leaseUntil: Date;
  /** So many requests may be on their way to a URL, and so many to a host, before and after it has answered with 2xx. */
  limits: { url: number; host: number; newHost: number };
  /** None is begun after so many that got lost in a row, until these are counted as a failure. */
  mostLost: number;
}

export interface BegunAttempt {
  id: number;
  number: number;
  /** Attempts before it that failed: those that got lost are none. */
  failures: number;
}

/** Of a delivery `d` without an attempt under way: how many of its latest attempts in a row got lost and count as no failure. */
const lostInARow = `(
  select count(*)::int from webhook_attempts a
  where a.webhook_delivery_id = d.id and (a.finished_at is null or a.error_code = 'lost')
    and a.number > (
      select coalesce(max(f.number), 0) from webhook_attempts f
      where f.webhook_delivery_id = d.id and f.finished_at is not null and f.error_code is distinct from 'lost'))`;

/**
 * Begins the delivery's next attempt if it is due, none is under way and its receiver has room; a test does not wait until
 * a host that has never answered is tried again. Attempts whose time is up count as lost. To be sent with `holdForAttempt`,
 * behind it: what this statement sees was committed after the rows were held, while a single one would count what it saw
 * before it waited.
 */
export async function beginAttempt(tx: Tx, attempt: AttemptToBegin): Promise<BegunAttempt | undefined> {
  const { deliveryId, now, leaseUntil, limits, mostLost } = attempt;
  const [begun] = await prepared<BegunAttempt>(
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
    [deliveryId, now, now, mostLost, now, limits.newHost, limits.host, limits.url, now, now, now, leaseUntil],
  );
  return begun;
}

/**
 * Counts the latest attempt of a delivery as a failure, `lost_repeatedly`, where `mostLost` in a row got lost. The delivery
 * is to be held, and to have no attempt under way.
 *
 * @returns how many attempts of the delivery have failed then; undefined where fewer got lost
 */
export async function countLost(
  tx: Tx,
  { deliveryId, mostLost, now }: { deliveryId: number; mostLost: number; now: Date },
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
    [deliveryId, mostLost, now],
  );
  return counted?.failures;
}

export interface QueueForReceiver {
  deliveryId: number;
  ruleId: number;
  now: Date;
  /** Not before this. */
  soonest: Date;
  /** So many requests may be on their way to a URL; to a host that has never answered, one. */
  limit: number;
  /** Places are at least so far apart, and no farther than that at the far end of the queue. */
  stepMs: { least: number; far: number };
  /** Where the far end begins. */
  nearMs: number;
  longestMs: number;
}

/**
 * Takes the next place in a receiver's queue for a delivery, and has its next attempt wait for that. Places are as far
 * apart as it takes on average until one of the receiver's `limit` requests is answered; of one that has not answered yet,
 * a second is expected. The delivery is to be held before, as everywhere.
 *
 * @returns when its attempt is due; undefined where the delivery or its rule is gone, or nothing is to be done any more
 */
export async function queueForReceiver(tx: Tx, queue: QueueForReceiver): Promise<Date | undefined> {
  const { deliveryId, ruleId, now, soonest, limit, stepMs, nearMs, longestMs } = queue;
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
    [
      limit,
      stepMs.least,
      ruleId,
      now,
      new Date(now.getTime() + nearMs),
      stepMs.far,
      new Date(now.getTime() + longestMs),
      soonest,
      deliveryId,
    ],
  );
  return queued?.at;
}

/** Until when an attempt of the delivery is under way; undefined: none is. */
export async function findLease(tx: Tx, deliveryId: number, now: Date): Promise<Date | undefined> {
  const [attempt] = await prepared<{ leaseUntil: Date }>(
    tx,
    `select lease_until as "leaseUntil" from webhook_attempts
     where webhook_delivery_id = ? and finished_at is null and lease_until > ?`,
    [deliveryId, now],
  );
  return attempt?.leaseUntil;
}
