import type { Tx } from '../database.js';
import { prepared } from '../statement.js';

export type WebhookDeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled';
export type WebhookDeliveryTrigger = 'event' | 'redelivery' | 'test';

/** A delivery as it is shown: with the uuid of its event. */
export interface WebhookDeliveryDetails {
  id: number;
  uuid: string;
  eventRuleId: number;
  eventUuid: string;
  eventType: string;
  trigger: WebhookDeliveryTrigger;
  status: WebhookDeliveryStatus;
  failureReason: string | null;
  attemptCount: number;
  lastStatusCode: number | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
  completedAt: Date | null;
}

const details = `d.id, d.uuid, d.event_rule_id as "eventRuleId", e.uuid as "eventUuid", d.event_type as "eventType",
  d.trigger, d.status, d.failure_reason as "failureReason", d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.next_attempt_at as "nextAttemptAt", d.created_at as "createdAt",
  d.completed_at as "completedAt"`;

/** One delivery of a rule, deleted or not. */
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
