import type { Tx } from '../database.js';
import { raw, type Sql, sql } from '../sql.js';
import { prepared } from '../statement.js';
import { ask } from './list-data-records.js';
import type { WebhookDeliveryTrigger } from './webhook-delivery-lists.js';

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
  const [found] = await prepared<DeliveryToRepeat>(
    tx,
    `select event_id as "eventId", trigger from webhook_deliveries
     where id = ? and event_rule_id = ? for key share`,
    [id, eventRuleId],
  );
  return found;
}

/** Whether a rule is delivering an event at present. */
export async function isBeingDelivered(tx: Tx, eventRuleId: number, eventId: number): Promise<boolean> {
  const found = await ask(
    tx,
    sql`select 1 from (${ofEvent(sql`${eventId}`)}) d
      where d.event_rule_id = ${eventRuleId} and d.status = 'pending' limit 1`,
  );
  return found.length > 0;
}

/**
 * Events of which a rule's latest delivery failed, tests left out, in the order of these: up to so many. Their deliveries
 * stay while the transaction lasts.
 */
export async function holdFailedEvents(
  tx: Tx,
  eventRuleId: number,
  { since, until }: { since: Date; until: Date | undefined },
  limit: number,
): Promise<number[]> {
  const before = until === undefined ? raw('') : sql`and d.created_at < ${until}`;
  const rows = await ask<{ eventId: number }>(
    tx,
    sql`select d.event_id as "eventId" from webhook_deliveries d
      where d.event_rule_id = ${eventRuleId} and d.status = 'failed' and d.trigger <> 'test'
        and d.created_at >= ${since} ${before}
        and not exists (
          select 1 from (${ofEvent(sql`d.event_id`)}) later
          where later.event_rule_id = d.event_rule_id and later.id > d.id
        )
      order by d.created_at, d.id limit ${limit} for key share of d`,
  );
  return rows.map(({ eventId }) => eventId);
}

/** An event's deliveries by all rules, looked up before anything else is asked of them: there are few. */
function ofEvent(eventId: Sql): Sql {
  return sql`select * from webhook_deliveries where event_id = ${eventId} offset 0`;
}
