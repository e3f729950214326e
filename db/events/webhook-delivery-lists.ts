import { offsetOf, type PageOf, type PageRequest } from '../../domain/lib/paging.js';
import { queryInIndexOrder } from '../lib/index-order.js';
import { joined, raw, type Sql, sql } from '../sql.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { countMatches } from './event-lists.js';
import type { WebhookDeliveryRow } from './models/webhook-delivery.js';
import type { AttemptOutcome } from './webhook-deliveries.js';

/** A delivery as the API shows it, with the uuid of its event. */
export interface WebhookDeliveryDetails
  extends Omit<WebhookDeliveryRow, 'workspaceId' | 'eventId' | 'requestedByMemberId'> {
  eventUuid: string;
}

/** Selects deliveries of a rule; all given conditions apply. */
export interface WebhookDeliveryFilter
  extends Partial<Pick<WebhookDeliveryRow, 'status' | 'eventType' | 'trigger'>> {
  /** The event's uuid. */
  eventId?: string;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
}

export type WebhookDeliverySort = 'createdAt' | 'completedAt';

const sortColumns = { createdAt: raw('created_at'), completedAt: raw('completed_at') };

const details = `d.id, d.uuid, d.event_rule_id as "eventRuleId", e.uuid as "eventUuid", d.event_type as "eventType",
  d.trigger, d.status, d.failure_reason as "failureReason", d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.next_attempt_at as "nextAttemptAt", d.created_at as "createdAt",
  d.completed_at as "completedAt"`;

/** Finds a delivery of a rule, also of a deleted one. */
export async function findWebhookDelivery(
  tx: Tx,
  eventRuleId: number,
  id: number,
): Promise<WebhookDeliveryDetails | undefined> {
  const [found] = await prepared<WebhookDeliveryDetails>(
    tx,
    `select ${details} from webhook_deliveries d join events e on e.id = d.event_id
     where d.id = ? and d.event_rule_id = ?`,
    [id, eventRuleId],
  );
  return found;
}

/** Lists the newest deliveries of an event by all rules, up to `limit`. */
export async function selectDeliveriesOfEvent(
  tx: Tx,
  eventUuid: string,
  limit: number,
): Promise<WebhookDeliveryDetails[]> {
  return queryInIndexOrder<WebhookDeliveryDetails>(
    tx,
    sql`select ${raw(details)} from (select id, uuid from events where uuid = ${eventUuid}) e
      cross join lateral (select * from webhook_deliveries where event_id = e.id offset 0) d
      order by d.created_at desc, d.id desc limit ${limit}`,
  );
}

/** Returns the request body of a delivery. */
export async function findWebhookBody(tx: Tx, deliveryId: number): Promise<string | undefined> {
  const [found] = await prepared<{ body: string }>(
    tx,
    'select e.body from webhook_deliveries d join events e on e.id = d.event_id where d.id = ?',
    [deliveryId],
  );
  return found?.body;
}

/** The order of the indexes that find the matches, so that the planner uses one whatever its statistics. */
const asFound = raw('order by d.created_at, d.id');

/** Up to this many matches are sorted. */
const fewMatches = 1_000;

/**
 * Lists a page of a rule's deliveries, within the first `mostCounted`. Few matches are read from the index that finds
 * them and sorted; otherwise the index in the order of the list is scanned (docs/decisions/0046-lists-of-records.md).
 */
export async function selectWebhookDeliveries(
  tx: Tx,
  eventRuleId: number,
  filter: WebhookDeliveryFilter,
  page: PageRequest<WebhookDeliverySort>,
): Promise<PageOf<WebhookDeliveryDetails> & { totalIsExact: boolean }> {
  const matching = matches(eventRuleId, filter);
  const counted = await countMatches(tx, sql`${matching} ${asFound}`);
  if (offsetOf(page) >= counted.total) return { items: [], ...counted };

  const column = sortColumns[page.sortBy];
  const order = sql`order by ${column} ${raw(page.sortOrder)}, id ${raw(page.sortOrder)}`;
  const source =
    counted.total > fewMatches ? matching : sql`from (select d.* ${matching} ${asFound} offset 0) d`;
  const items = await queryInIndexOrder<WebhookDeliveryDetails>(
    tx,
    sql`select ${raw(details)} from (
        select d.*, row_number() over () as place
        from (select d.* ${source} ${order} limit ${page.pageSize} offset ${offsetOf(page)}) d
      ) d
      cross join lateral (select uuid from events where events.id = d.event_id limit 1) e
      order by d.place`,
  );
  return { items, ...counted };
}

/** Returns `from … where …` for a filter. Where an event is given, only its deliveries are read. */
function matches(eventRuleId: number, filter: WebhookDeliveryFilter): Sql {
  const { status, eventType, trigger, eventId, createdFrom, createdBefore } = filter;
  const ofEvent = sql`(select * from webhook_deliveries
    where event_id = (select id from events where uuid = ${eventId}) offset 0)`;
  const conditions = [sql`d.event_rule_id = ${eventRuleId}`];
  if (status !== undefined) conditions.push(sql`d.status = ${status}`);
  if (eventType !== undefined) conditions.push(sql`d.event_type = ${eventType}`);
  if (trigger !== undefined) conditions.push(sql`d.trigger = ${trigger}`);
  // A constant condition, so that PostgreSQL can use the partial index on it.
  if (trigger !== undefined && trigger !== 'event') conditions.push(raw(`d.trigger <> 'event'`));
  if (createdFrom !== undefined) conditions.push(sql`d.created_at >= ${createdFrom}`);
  if (createdBefore !== undefined) conditions.push(sql`d.created_at < ${createdBefore}`);
  const source = eventId === undefined ? raw('webhook_deliveries') : ofEvent;
  return sql`from ${source} d where ${joined(conditions, ' and ')}`;
}

/** An attempt as the API shows it. Values that are not known yet are null. */
export interface WebhookAttemptDetails extends AttemptOutcome {
  number: number;
  startedAt: Date;
}

const countAttempts = 'select count(*) as total from webhook_attempts where webhook_delivery_id = ?';

/** Lists a page of a delivery's attempts, in order. */
export async function selectWebhookAttempts(
  tx: Tx,
  deliveryId: number,
  page: PageRequest<'number'>,
): Promise<PageOf<WebhookAttemptDetails>> {
  const [items, counted] = await Promise.all([
    prepared<WebhookAttemptDetails>(
      tx,
      `select number, started_at as "startedAt", duration_ms as "durationMs", status_code as "statusCode",
         error_code as "errorCode", response_body as "responseBody"
       from webhook_attempts where webhook_delivery_id = ?
       order by number ${page.sortOrder} limit ? offset ?`,
      [deliveryId, page.pageSize, offsetOf(page)],
    ),
    prepared<{ total: number }>(tx, countAttempts, [deliveryId]),
  ]);
  return { items, total: counted[0]?.total ?? 0 };
}
