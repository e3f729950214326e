import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** Why a delivery failed or was cancelled: docs/webhooks.md. */
export type WebhookFailureReason =
  | 'attempts_exhausted'
  | 'gone'
  | 'rule_disabled'
  | 'rule_deleted'
  | 'cancelled_by_member'
  | 'run_cancelled'
  | 'run_terminated';

/** The delivery of one event to the receiver of one rule; `delivered`, `failed` and `cancelled` are final. */
export class WebhookDeliveryModel extends tenantTable('webhook_deliveries', {
  uuid: column<string>(),
  eventRuleId: column<number>(),
  eventId: column<number>(),
  eventType: column<string>('code'),
  /** What created it: the event itself, a request to repeat it, a test of the rule, or a request for missed events. */
  trigger: column<'event' | 'redelivery' | 'test' | 'missed'>('code'),
  requestedByMemberId: column<number | null>(),
  status: column<'pending' | 'delivered' | 'failed' | 'cancelled'>('code'),
  failureReason: column<WebhookFailureReason | null>('code'),
  /** Number of attempts begun. */
  attemptCount: column<number>(),
  lastStatusCode: column<number | null>(),
  /** Null once the delivery is settled. */
  nextAttemptAt: column<Date | null>(),
  createdAt: column<Date>(),
  completedAt: column<Date | null>(),
}) {}

export type WebhookDeliveryRow = RowOf<WebhookDeliveryModel>;
