import { queryInIndexOrder } from '../lib/index-order.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/*
 * `missed_times` of a rule are the intervals in which it was disabled and may have missed events that are still to be
 * delivered. They are wider than the time in which the rule was disabled, because an event is stored later than its
 * `created_at`. An event within them was missed if the rule has no delivery of it.
 */

/** `from` is inclusive and `before` exclusive; an undefined end is open. */
type Interval = { from: Date | undefined; before: Date | undefined };

/**
 * Adds the interval in which a rule was disabled, up to now, widened by `widerByMs` at both ends, but not to before the
 * rule got its event type. Removes intervals whose events are no longer kept.
 */
export async function recordMissedTime(
  tx: Tx,
  eventRuleId: number,
  { now, widerByMs, keptForMs }: { now: Date; widerByMs: number; keptForMs: number },
): Promise<void> {
  const until = new Date(now.getTime() + widerByMs);
  await prepared(
    tx,
    `update event_rules set missed_times = missed_times + tstzmultirange(tstzrange(
         least(?, greatest(disabled_at - make_interval(secs => ?), event_type_since, created_at)), ?))
       - tstzmultirange(tstzrange(null, ?))
     where id = ? and not enabled`,
    [until, widerByMs / 1_000, until, new Date(now.getTime() - keptForMs), eventRuleId],
  );
}

/** Removes an interval whose missed events have been delivered. */
export async function forgetMissedTime(tx: Tx, eventRuleId: number, interval: Interval): Promise<void> {
  if (isEmpty(interval)) return;
  const { from, before } = interval;
  await prepared(
    tx,
    `update event_rules set missed_times = missed_times - tstzmultirange(tstzrange(?, ?))
     where id = ? and missed_times && tstzrange(?, ?)`,
    [from, before, eventRuleId, from, before],
  );
}

/** Records since when a rule has its event type; it has missed no events of that type yet. */
export async function recordEventType(tx: Tx, eventRuleId: number, now: Date): Promise<void> {
  const text = `update event_rules set event_type_since = ?, missed_times = '{}' where id = ?`;
  await prepared(tx, text, [now, eventRuleId]);
}

/** Lists the missed events of a rule within an interval, oldest first, without samples. */
export async function selectMissedEvents(
  tx: Tx,
  { id, eventType }: { id: number; eventType: string },
  interval: Interval,
  limit: number,
): Promise<{ id: number; createdAt: Date }[]> {
  if (isEmpty(interval)) return [];
  const { from, before } = interval;
  return queryInIndexOrder(tx, {
    text: `select e.id, e.created_at as "createdAt"
      from (
        select lower(gap) as starts, upper(gap) as ends
        from event_rules r, unnest(r.missed_times * tstzmultirange(tstzrange(?, ?))) gap
        where r.id = ? order by starts offset 0
      ) missed
      cross join lateral (
        select * from events e
        where e.event_type = ? and e.created_at >= missed.starts and e.created_at < missed.ends
          and not e.is_test
          and not exists (
            select 1 from (select * from webhook_deliveries where event_id = e.id offset 0) d
            where d.event_rule_id = ?)
        order by e.created_at, e.id limit ?
      ) e
      order by missed.starts, e.created_at, e.id limit ?`,
    bindings: [from, before, id, eventType, id, limit, limit],
  });
}

function isEmpty({ from, before }: Interval): boolean {
  return from !== undefined && before !== undefined && from >= before;
}

/** Counts the pending deliveries of a rule, up to `most`. */
export async function countPendingDeliveries(tx: Tx, eventRuleId: number, most: number): Promise<number> {
  const [counted] = await queryInIndexOrder<{ count: number }>(tx, {
    text: `select count(*) as count from (
        select 1 from webhook_deliveries
        where event_rule_id = ? and status = 'pending'
        order by created_at, id limit ?
      ) pending`,
    bindings: [eventRuleId, most],
  });
  return counted?.count ?? 0;
}
