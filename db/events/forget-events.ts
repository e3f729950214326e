import { queryInIndexOrder } from '../lib/index-order.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/*
 * Deletes rows whose retention time is over, up to `limit` at a time. Rows that are locked at that moment are skipped,
 * because they are still in use.
 */

/** Deletes settled deliveries from before a time, with their attempts. */
export async function removeOldDeliveries(tx: Tx, before: Date, limit: number): Promise<number> {
  // Selects by rule, so that the index of the lists is used.
  const chosen = `select d.id from event_rules r cross join lateral (
      select id from webhook_deliveries
      where event_rule_id = r.id and created_at < ? and status <> 'pending'
      order by created_at, id limit ? for update skip locked
    ) d limit ?`;
  return deleteChosen(tx, 'webhook_deliveries', chosen, [before, limit, limit]);
}

export async function removeOldSecrets(tx: Tx, now: Date, limit: number): Promise<number> {
  return deleteWhere(tx, 'event_rule_secrets', 'expires_at <= ?', [now, limit]);
}

export async function removeOldNotices(tx: Tx, before: Date, limit: number): Promise<number> {
  const ofRules = await deleteWhere(tx, 'event_rule_notices', 'created_at < ?', [before, limit]);
  const left = limit - ofRules;
  return left === 0
    ? limit
    : ofRules + (await deleteWhere(tx, 'handoff_notices', 'created_at < ?', [before, left]));
}

/** Deletes the rows of rules that were deleted before a time and have no deliveries left. */
export async function removeDeletedRules(tx: Tx, before: Date, limit: number): Promise<number> {
  const condition = `deleted_at < ? and ${unusedBy('webhook_deliveries', 'event_rule_id')}`;
  return deleteWhere(tx, 'event_rules', condition, [before, limit]);
}

/** Deletes receivers that no rule and no attempt refers to any more. */
export async function removeUnusedEndpoints(tx: Tx, limit: number): Promise<number> {
  const ofAttempts = unusedBy('webhook_attempts', 'webhook_endpoint_id');
  const condition = `${unusedBy('event_rules', 'webhook_endpoint_id')} and ${ofAttempts}`;
  return deleteWhere(tx, 'webhook_endpoints', condition, [limit]);
}

/** Deletes hosts that no receiver refers to any more. */
export async function removeUnusedHosts(tx: Tx, limit: number): Promise<number> {
  return deleteWhere(tx, 'webhook_hosts', unusedBy('webhook_endpoints', 'webhook_host_id'), [limit]);
}

function unusedBy(table: string, column: string): string {
  return `not exists (select 1 from ${table} where ${table}.${column} = chosen.id)`;
}

function deleteWhere(tx: Tx, table: string, condition: string, bindings: unknown[]): Promise<number> {
  const ids = `select id from ${table} chosen where ${condition} limit ? for update skip locked`;
  return deleteChosen(tx, table, ids, bindings);
}

async function deleteChosen(tx: Tx, table: string, ids: string, bindings: unknown[]): Promise<number> {
  const text = `delete from ${table} where id = any(array(${ids})) returning 1`;
  return (await queryInIndexOrder(tx, { text, bindings })).length;
}

/** The position of an event in the order of creation; the time is as PostgreSQL writes it, with microseconds. */
export type EventPlace = { createdAt: string; id: number };

/** The position before all events. */
export const beforeEvents: EventPlace = { createdAt: '-infinity', id: 0 };

/**
 * Looks at up to `limit` events from before a time and after a position, deletes those without any delivery left, and
 * returns the position of the last one. Only the deletion of a data record locks events: this statement waits for it.
 */
export async function removeOldEvents(
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
