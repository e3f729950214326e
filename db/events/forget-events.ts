import type { Tx } from '../database.js';
import { queryInIndexOrder } from '../lib/index-order.js';
import { prepared } from '../statement.js';

/*
 * Deletes rows whose retention time is over, up to `limit` at a time. Rows that are locked at that moment are skipped,
 * because they are still in use.
 */

/** Deletes settled deliveries from before a time, with their attempts; returns how many. */
export async function deleteOldDeliveries(tx: Tx, before: Date, limit: number): Promise<number> {
  return deleteChosen(
    tx,
    'webhook_deliveries',
    // Selects by rule, so that the index of the lists is used.
    `select d.id from event_rules r cross join lateral (
       select id from webhook_deliveries
       where event_rule_id = r.id and created_at < ? and status <> 'pending'
       order by created_at, id limit ? for update skip locked
     ) d limit ?`,
    [before, limit, limit],
  );
}

export async function deleteExpiredSecrets(tx: Tx, now: Date, limit: number): Promise<number> {
  return deleteChosen(
    tx,
    'event_rule_secrets',
    'select id from event_rule_secrets where expires_at <= ? limit ? for update skip locked',
    [now, limit],
  );
}

export async function deleteOldNotices(tx: Tx, before: Date, limit: number): Promise<number> {
  return deleteChosen(
    tx,
    'event_rule_notices',
    'select id from event_rule_notices where created_at < ? limit ? for update skip locked',
    [before, limit],
  );
}

/** Deletes the rows of rules that were deleted before a time and have no deliveries left. */
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

/** Deletes receivers that no rule and no attempt refers to any more. */
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

/** Deletes hosts that no receiver refers to any more. */
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

/** The position of an event in the order of creation. */
export interface EventPlace {
  /** The text form of PostgreSQL, with microseconds. */
  createdAt: string;
  id: number;
}

/** The position before all events. */
export const beforeEvents: EventPlace = { createdAt: '-infinity', id: 0 };

/**
 * Looks at up to `limit` events from before a time and after a position, and deletes those without any delivery left.
 * Only the deletion of an event's data record locks an event, because events never change; this statement waits for it.
 *
 * @returns how many were deleted, and the position of the last event looked at; undefined where there was none
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
