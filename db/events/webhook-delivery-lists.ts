import { offsetOf, type PageOf, type PageRequest } from '../../domain/lib/paging.js';
import { allOf, ifGiven } from '../lib/conditions.js';
import { queryInIndexOrder } from '../lib/index-order.js';
import type { Sql } from '../sql.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { countMatches } from './event-lists.js';
import { WebhookAttemptModel, type WebhookAttemptRow } from './models/webhook-attempt.js';
import type { WebhookDeliveryRow } from './models/webhook-delivery.js';

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

const sortColumns = { createdAt: 'created_at', completedAt: 'completed_at' };

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
  return queryInIndexOrder(tx, {
    text: `select ${details} from (select id, uuid from events where uuid = ?) e
      cross join lateral (select * from webhook_deliveries where event_id = e.id offset 0) d
      order by d.created_at desc, d.id desc limit ?`,
    bindings: [eventUuid, limit],
  });
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
const asFound = 'order by d.created_at, d.id';

/** Up to this many matches are sorted. */
const fewMatches = 1_000;

/**
 * Lists a page of a rule's deliveries, within the first `maxCounted`. Few matches are read from the index that finds
 * them and sorted; otherwise the index in the order of the list is scanned (docs/decisions/0046-lists-of-records.md).
 */
export async function selectWebhookDeliveries(
  tx: Tx,
  eventRuleId: number,
  filter: WebhookDeliveryFilter,
  page: PageRequest<WebhookDeliverySort>,
): Promise<PageOf<WebhookDeliveryDetails> & { totalIsExact: boolean }> {
  const { text: matching, bindings } = matches(eventRuleId, filter);
  const counted = await countMatches(tx, { text: `${matching} ${asFound}`, bindings });
  if (offsetOf(page) >= counted.total) return { items: [], ...counted };

  const order = `order by ${sortColumns[page.sortBy]} ${page.sortOrder}, id ${page.sortOrder}`;
  const source =
    counted.total > fewMatches ? matching : `from (select d.* ${matching} ${asFound} offset 0) d`;
  const items = await queryInIndexOrder<WebhookDeliveryDetails>(tx, {
    text: `select ${details} from (
        select d.*, row_number() over () as place
        from (select d.* ${source} ${order} limit ? offset ?) d
      ) d
      cross join lateral (select uuid from events where events.id = d.event_id limit 1) e
      order by d.place`,
    bindings: [...bindings, page.pageSize, offsetOf(page)],
  });
  return { items, ...counted };
}

/** Returns `from … where …` for a filter. Where an event is given, only its deliveries are read. */
function matches(eventRuleId: number, filter: WebhookDeliveryFilter): Sql {
  const { status, eventType, trigger, eventId, createdFrom, createdBefore } = filter;
  const { text, bindings } = allOf([
    ['d.event_rule_id = ?', eventRuleId],
    ifGiven('d.status = ?', status),
    ifGiven('d.event_type = ?', eventType),
    ifGiven('d.trigger = ?', trigger),
    // A constant condition, so that PostgreSQL can use the partial index on it.
    trigger === undefined || trigger === 'event' ? undefined : [`d.trigger <> 'event'`],
    ifGiven('d.created_at >= ?', createdFrom),
    ifGiven('d.created_at < ?', createdBefore),
  ]);
  if (eventId === undefined) return { text: `from webhook_deliveries d where ${text}`, bindings };
  const ofEvent = `(select * from webhook_deliveries
    where event_id = (select id from events where uuid = ?) offset 0)`;
  return { text: `from ${ofEvent} d where ${text}`, bindings: [eventId, ...bindings] };
}

/** Why deliveries failed, and how their last attempt ended. */
export interface FailureCause {
  failureReason: string;
  statusCode: number | null;
  errorCode: string | null;
  count: number;
}

/** Counts the failed deliveries of a rule by cause, the most frequent first: of the newest, up to `limit`. */
export async function countFailureCauses(
  tx: Tx,
  eventRuleId: number,
  limit: number,
): Promise<FailureCause[]> {
  return queryInIndexOrder(tx, {
    text: `with failed as materialized (
        select id, failure_reason from webhook_deliveries
        where event_rule_id = ? and status = 'failed' order by created_at desc, id desc limit ?)
      select failure_reason as "failureReason", last.status_code as "statusCode", last.error_code as "errorCode",
        count(*)::integer as count
      from failed left join lateral (
        select status_code, error_code from webhook_attempts
        where webhook_delivery_id = failed.id order by number desc limit 1
      ) last on true
      group by 1, 2, 3 order by 4 desc, 1, 2, 3`,
    bindings: [eventRuleId, limit],
  });
}

const shown = ['number', 'startedAt', 'durationMs', 'statusCode', 'errorCode', 'responseBody'] as const;
/** An attempt as the API shows it. */
export type WebhookAttemptDetails = Pick<WebhookAttemptRow, (typeof shown)[number]>;

/** Lists a page of a delivery's attempts, in order. */
export async function selectWebhookAttempts(
  tx: Tx,
  deliveryId: number,
  page: PageRequest<'number'>,
): Promise<PageOf<WebhookAttemptDetails>> {
  const ofDelivery = 'webhook_delivery_id = ?';
  const ofPage = `${ofDelivery} order by number ${page.sortOrder} limit ? offset ?`;
  const [items, total] = await Promise.all([
    WebhookAttemptModel.pick(tx, shown, ofPage, [deliveryId, page.pageSize, offsetOf(page)]),
    WebhookAttemptModel.count(tx, ofDelivery, [deliveryId]),
  ]);
  return { items, total };
}
