import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { EventRuleModel } from './models/event-rule.js';
import { WebhookAttemptModel, type WebhookAttemptRow } from './models/webhook-attempt.js';
import { WebhookDeliveryModel, type WebhookDeliveryRow } from './models/webhook-delivery.js';
import { WebhookEndpointModel } from './models/webhook-endpoint.js';

export type { WebhookDeliveryRow } from './models/webhook-delivery.js';

/** Without a response, `errorCode` says why. `responseBody` is the beginning. */
export type AttemptOutcome = Pick<
  WebhookAttemptRow,
  'durationMs' | 'statusCode' | 'errorCode' | 'responseBody'
>;

/** Records the outcome of an attempt, also of one counted as lost. @returns false when it was recorded before */
export async function finishAttempt(
  tx: Tx,
  attemptId: number,
  { durationMs, statusCode, errorCode, responseBody }: AttemptOutcome,
  now: Date,
): Promise<boolean> {
  const finished = { finishedAt: now, durationMs, statusCode, errorCode, responseBody };
  const isOpen = `id = ? and (finished_at is null or error_code in ('lost', 'lost_repeatedly'))`;
  return (await WebhookAttemptModel.updateWhere(tx, finished, isOpen, [attemptId])) > 0;
}

type Settlement = Pick<WebhookDeliveryRow, 'status'> &
  Partial<Pick<WebhookDeliveryRow, 'failureReason' | 'lastStatusCode'>> & { at: Date };

/** Settles a pending delivery. @returns false when it was settled before */
export async function settleWebhookDelivery(
  tx: Tx,
  deliveryId: number,
  { status, failureReason = null, lastStatusCode, at }: Settlement,
): Promise<boolean> {
  const settled = {
    status,
    failureReason,
    ...codeIfAny(lastStatusCode),
    nextAttemptAt: null,
    completedAt: at,
  };
  const isOpen = 'id = ? and completed_at is null';
  return (await WebhookDeliveryModel.updateWhere(tx, settled, isOpen, [deliveryId])) > 0;
}

/** Without one, the last code stays. */
const codeIfAny = (lastStatusCode: number | null = null) =>
  lastStatusCode === null ? {} : { lastStatusCode };

/** Schedules the next attempt of a delivery after a failed one. */
export async function scheduleAttempt(
  tx: Tx,
  deliveryId: number,
  { at, lastStatusCode }: { at: Date; lastStatusCode?: number | null },
): Promise<void> {
  const scheduled = { nextAttemptAt: at, ...codeIfAny(lastStatusCode) };
  await WebhookDeliveryModel.updateWhere(tx, scheduled, 'id = ?', [deliveryId]);
}

export async function findWebhookDeliveryRow(tx: Tx, id: number): Promise<WebhookDeliveryRow | undefined> {
  return WebhookDeliveryModel.find(tx, id);
}

export async function lockWebhookDelivery(tx: Tx, id: number): Promise<WebhookDeliveryRow | undefined> {
  return WebhookDeliveryModel.first(tx, 'id = ? for no key update', [id]);
}

/** A delivery and the failures of its rule. */
interface HeldAfterAttempt extends Pick<WebhookDeliveryRow, 'status' | 'attemptCount'> {
  endpointId: number;
  failingSince: Date | null;
  /** Days (UTC) since then on which attempts failed, including today. */
  failingDays: number;
  /** Whether today is a day that the rule has not counted yet. */
  isAnotherDay: boolean;
}

/** Locks a delivery and its rule, in that order, after an attempt that failed now. */
export async function holdAfterAttempt(
  tx: Tx,
  deliveryId: number,
  now: Date,
): Promise<HeldAfterAttempt | undefined> {
  const [held] = await prepared<HeldAfterAttempt>(
    tx,
    `select d.status, d.attempt_count as "attemptCount", r.webhook_endpoint_id as "endpointId", r.failing_since as "failingSince",
       case
         when r.failing_since is null then 1
         when r.failed_on is distinct from (?::timestamptz at time zone 'UTC')::date then r.failing_days + 1
         else r.failing_days
       end as "failingDays",
       r.failing_since is null or r.failed_on is distinct from (?::timestamptz at time zone 'UTC')::date as "isAnotherDay"
     from webhook_deliveries d join event_rules r on r.id = d.event_rule_id
     where d.id = ? for no key update of d for no key update of r`,
    [now, now, deliveryId],
  );
  return held;
}

/** Records since when a rule has only failed, and on how many days, of which today is the latest. */
export async function recordFailing(
  tx: Tx,
  ruleId: number,
  { since, days, now }: { since: Date; days: number; now: Date },
): Promise<void> {
  await prepared(
    tx,
    `update event_rules set failing_since = ?, failing_days = ?, failed_on = (?::timestamptz at time zone 'UTC')::date
     where id = ?`,
    [since, days, now, ruleId],
  );
}

/** Records a success of the rule's receiver. Has no effect if the rule got another receiver meanwhile. */
export async function noteSuccess(tx: Tx, ruleId: number, endpointId: number): Promise<void> {
  const isFailing = 'id = ? and webhook_endpoint_id = ? and failing_since is not null';
  await EventRuleModel.updateWhere(tx, { failingSince: null }, isFailing, [ruleId, endpointId]);
}

export async function recordMeanDuration(tx: Tx, endpointId: number, meanDurationMs: number): Promise<void> {
  await WebhookEndpointModel.updateWhere(tx, { meanDurationMs }, 'id = ?', [endpointId]);
}

/** Lists pending deliveries whose next attempt was due by then, in the order of their index, after one. */
export async function selectOverdueDeliveries(
  tx: Tx,
  dueBefore: Date,
  { nextAttemptAt, id }: { nextAttemptAt: Date; id: number },
  limit: number,
): Promise<WebhookDeliveryRow[]> {
  return WebhookDeliveryModel.where(
    tx,
    `status = 'pending' and next_attempt_at < ? and next_attempt_at >= ? and (next_attempt_at, id) > (?, ?)
     order by next_attempt_at, id limit ${limit}`,
    [dueBefore, nextAttemptAt, nextAttemptAt, id],
  );
}
