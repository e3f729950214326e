import type { Tx } from '../database.js';
import { queryInIndexOrder } from '../lib/index-order.js';
import { prepared } from '../statement.js';

/*
 * What retention takes away, up to so many at a time. Rows that somebody holds at that moment are passed over: they are
 * still of use.
 */

/** Deliveries from before a time that are settled, with their attempts; returns how many. */
export async function deleteOldDeliveries(tx: Tx, before: Date, limit: number): Promise<number> {
  return deleteChosen(
    tx,
    'webhook_deliveries',
    // By rule: so the index of lists finds them.
    `select d.id from event_rules r cross join lateral (
       select id from webhook_deliveries
       where event_rule_id = r.id and created_at < ? and status <> 'pending'
       order by created_at, id limit ? for update skip locked
     ) d limit ?`,
    [before, limit, limit],
  );
}

/** Secrets whose time is over. */
export async function deleteExpiredSecrets(tx: Tx, now: Date, limit: number): Promise<number> {
  return deleteChosen(
    tx,
    'event_rule_secrets',
    'select id from event_rule_secrets where expires_at <= ? limit ? for update skip locked',
    [now, limit],
  );
}

/** Notices from before a time. */
export async function deleteOldNotices(tx: Tx, before: Date, limit: number): Promise<number> {
  return deleteChosen(
    tx,
    'event_rule_notices',
    'select id from event_rule_notices where created_at < ? limit ? for update skip locked',
    [before, limit],
  );
}

/** Rules that were deleted before a time and of which no delivery is left. */
export async function deleteDeletedRules(tx: Tx, before: Date, limit: number): Promise<number> {
  return deleteChosen(
    tx,
    'event_rules',
    `select id from event_rules r where deleted_at < ?
       and not exists (select 1 from webhook_deliveries d where d.event_rule_id = r.id)
     limit ? for update skip locked`,
    [before, limit],
  );
}

/** Receivers that no rule and no attempt refers to any more. */
export async function deleteUnusedEndpoints(tx: Tx, limit: number): Promise<number> {
  return deleteChosen(
    tx,
    'webhook_endpoints',
    `select id from webhook_endpoints e
     where not exists (select 1 from event_rules r where r.webhook_endpoint_id = e.id)
       and not exists (select 1 from webhook_attempts a where a.webhook_endpoint_id = e.id)
     limit ? for update skip locked`,
    [limit],
  );
}

/** Hosts that no receiver is at any more. */
export async function deleteUnusedHosts(tx: Tx, limit: number): Promise<number> {
  return deleteChosen(
    tx,
    'webhook_hosts',
    `select id from webhook_hosts h
     where not exists (select 1 from webhook_endpoints e where e.webhook_host_id = h.id)
     limit ? for update skip locked`,
    [limit],
  );
}

async function deleteChosen(
  tx: Tx,
  table: string,
  ids: string,
  bindings: readonly unknown[],
): Promise<number> {
  const deleted = await queryInIndexOrder(tx, {
    text: `delete from ${table} where id = any(array(${ids})) returning 1`,
    bindings,
  });
  return deleted.length;
}

/** Where an event stands among the others. */
export interface EventPlace {
  /** As PostgreSQL writes it: to the microsecond. */
  createdAt: string;
  id: number;
}

/** Before all events. */
export const beforeEvents: EventPlace = { createdAt: '-infinity', id: 0 };

/**
 * Of so many events from before a time, after a place, deletes those of which no delivery is left. Nobody holds events, as
 * nobody may change them, but who deletes the data record that they tell of: that is waited for.
 *
 * @returns how many, and the place of the last one looked at: undefined where there was none
 */
export async function deleteOldEvents(
  tx: Tx,
  before: Date,
  after: EventPlace,
  limit: number,
): Promise<{ deleted: number; last: EventPlace | undefined }> {
  const looked = await prepared<EventPlace & { isGone: boolean }>(
    tx,
    `with looked as materialized (
       select id, created_at from events
       where created_at < ? and created_at >= ? and (created_at, id) > (?, ?)
       order by created_at, id limit ?
     ),
     gone as (
       delete from events e where id = any(array(select id from looked))
         and not exists (select 1 from webhook_deliveries d where d.event_id = e.id)
       returning id
     )
     select looked.id, looked.created_at::text as "createdAt", gone.id is not null as "isGone"
     from looked left join gone on gone.id = looked.id order by looked.created_at, looked.id`,
    [before, after.createdAt, after.createdAt, after.id, limit],
  );
  const last = looked.at(-1);
  return {
    deleted: looked.filter(({ isGone }) => isGone).length,
    last: last && { createdAt: last.createdAt, id: last.id },
  };
}
