import { queryInIndexOrder } from '../lib/index-order.js';
import { DataRecordModel } from '../records/models/data-record.js';
import type { Tx } from '../tx.js';
import { WebhookDeliveryModel, type WebhookDeliveryRow } from './models/webhook-delivery.js';

/*
 * Records are locked before deliveries, as by the deletion of a record, which deletes its events with their deliveries.
 * Deliveries are locked because retention skips locked ones and their events.
 */

type DeliveryToRepeat = Pick<WebhookDeliveryRow, 'eventId' | 'trigger'>;

/** Finds a delivery of a rule, and protects it from deletion until the transaction ends. */
export async function holdDeliveryToRepeat(
  tx: Tx,
  eventRuleId: number,
  id: number,
): Promise<DeliveryToRepeat | undefined> {
  const ofDelivery = `id = (
    select e.data_record_id from webhook_deliveries d join events e on e.id = d.event_id where d.id = ?) for key share`;
  const [, [found]] = await Promise.all([
    DataRecordModel.pick(tx, ['id'], ofDelivery, [id]),
    WebhookDeliveryModel.pick(tx, ['eventId', 'trigger'], 'id = ? and event_rule_id = ? for key share', [
      id,
      eventRuleId,
    ]),
  ]);
  return found;
}

/** Whether a rule has a pending delivery of an event. */
export async function isBeingDelivered(tx: Tx, eventRuleId: number, eventId: number): Promise<boolean> {
  const found = await queryInIndexOrder(tx, {
    text: `select 1 from (${ofEvent('?')}) d where d.event_rule_id = ? and d.status = 'pending' limit 1`,
    bindings: [eventId, eventRuleId],
  });
  return found.length > 0;
}

/** The latest delivery of an event by a rule, which failed. */
type FailedDelivery = Pick<WebhookDeliveryRow, 'id' | 'eventId'>;

/** Lists the deliveries that failed and were the latest of their events by a rule, without tests, oldest first. */
export async function selectFailedDeliveries(
  tx: Tx,
  eventRuleId: number,
  { since, until }: { since: Date; until: Date | undefined },
  limit: number,
): Promise<FailedDelivery[]> {
  const times = until === undefined ? [since] : [since, until];
  return queryInIndexOrder(tx, {
    text: `select d.id, d.event_id as "eventId" from webhook_deliveries d
      where d.event_rule_id = ? and d.status = 'failed' and d.trigger <> 'test'
        and d.created_at >= ? ${until === undefined ? '' : 'and d.created_at < ?'}
        and not exists (
          select 1 from (${ofEvent('d.event_id')}) later
          where later.event_rule_id = d.event_rule_id and later.id > d.id
        )
      order by d.created_at, d.id limit ?`,
    bindings: [eventRuleId, ...times, limit],
  });
}

/** Returns those that still exist, and protects them and the data records of their events from deletion. */
export async function holdDeliveries(
  tx: Tx,
  deliveries: readonly FailedDelivery[],
): Promise<FailedDelivery[]> {
  const ofEvents = `id = any(array(select data_record_id from events where id = any(?::bigint[])))
    order by id for key share`;
  const [, held] = await Promise.all([
    DataRecordModel.pick(tx, ['id'], ofEvents, [deliveries.map(({ eventId }) => eventId)]),
    WebhookDeliveryModel.pick(tx, ['id', 'eventId'], 'id = any(?::bigint[]) order by id for key share', [
      deliveries.map(({ id }) => id),
    ]),
  ]);
  return held;
}

/** The few deliveries of an event by all rules; `offset 0` makes PostgreSQL read them before other conditions. */
function ofEvent(eventId: '?' | 'd.event_id'): string {
  return `select * from webhook_deliveries where event_id = ${eventId} offset 0`;
}
