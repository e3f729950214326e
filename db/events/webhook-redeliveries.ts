import type { Tx } from '../database.js';
import { queryInIndexOrder } from '../lib/index-order.js';
import { raw, type Sql, sql } from '../sql.js';
import { prepared } from '../statement.js';
import type { WebhookDeliveryTrigger } from './webhook-delivery-lists.js';

/*
 * Whoever deletes a data record holds it, and then takes its events with their deliveries. So here the records come before
 * the deliveries as well. The deliveries are held since retention passes over those that are, and their events.
 */

/** A delivery whose event somebody wants delivered again. */
export interface DeliveryToRepeat {
  eventId: number;
  trigger: WebhookDeliveryTrigger;
}

/** One delivery of a rule, which stays while the transaction lasts. */
export async function holdDeliveryToRepeat(
  tx: Tx,
  eventRuleId: number,
  id: number,
): Promise<DeliveryToRepeat | undefined> {
  const [, [found]] = await Promise.all([
    prepared(
      tx,
      `select from data_records where id = (
         select e.data_record_id from webhook_deliveries d join events e on e.id = d.event_id where d.id = ?
       ) for key share`,
      [id],
    ),
    prepared<DeliveryToRepeat>(
      tx,
      `select event_id as "eventId", trigger from webhook_deliveries
       where id = ? and event_rule_id = ? for key share`,
      [id, eventRuleId],
    ),
  ]);
  return found;
}

/** Whether a rule is delivering an event at present. */
export async function isBeingDelivered(tx: Tx, eventRuleId: number, eventId: number): Promise<boolean> {
  const found = await queryInIndexOrder(
    tx,
    sql`select 1 from (${ofEvent(sql`${eventId}`)}) d
      where d.event_rule_id = ${eventRuleId} and d.status = 'pending' limit 1`,
  );
  return found.length > 0;
}

/** The latest delivery of an event, which failed. */
export interface FailedDelivery {
  id: number;
  eventId: number;
}

/** Of the events of which a rule's latest delivery failed, these deliveries, tests left out, in their order: up to so many. */
export async function listFailedDeliveries(
  tx: Tx,
  eventRuleId: number,
  { since, until }: { since: Date; until: Date | undefined },
  limit: number,
): Promise<FailedDelivery[]> {
  const before = until === undefined ? raw('') : sql`and d.created_at < ${until}`;
  return queryInIndexOrder<FailedDelivery>(
    tx,
    sql`select d.id, d.event_id as "eventId" from webhook_deliveries d
      where d.event_rule_id = ${eventRuleId} and d.status = 'failed' and d.trigger <> 'test'
        and d.created_at >= ${since} ${before}
        and not exists (
          select 1 from (${ofEvent(sql`d.event_id`)}) later
          where later.event_rule_id = d.event_rule_id and later.id > d.id
        )
      order by d.created_at, d.id limit ${limit}`,
  );
}

/** Those of these deliveries that are still there, and stay while the transaction lasts, with what their events tell of. */
export async function holdDeliveries(
  tx: Tx,
  deliveries: readonly FailedDelivery[],
): Promise<FailedDelivery[]> {
  const [, held] = await Promise.all([
    prepared(
      tx,
      `select from data_records
       where id = any(array(select data_record_id from events where id = any(?::bigint[])))
       order by id for key share`,
      [deliveries.map(({ eventId }) => eventId)],
    ),
    prepared<FailedDelivery>(
      tx,
      `select id, event_id as "eventId" from webhook_deliveries where id = any(?::bigint[]) order by id for key share`,
      [deliveries.map(({ id }) => id)],
    ),
  ]);
  return held;
}

/** An event's deliveries by all rules, looked up before anything else is asked of them: there are few. */
function ofEvent(eventId: Sql): Sql {
  return sql`select * from webhook_deliveries where event_id = ${eventId} offset 0`;
}
