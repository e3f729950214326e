import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

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
export class WebhookDeliveryModel extends TenantModel {
  static override tableName = 'webhook_deliveries';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'eventRuleId',
    'eventId',
    'eventType',
    'trigger',
    'requestedByMemberId',
    'status',
    'failureReason',
    'attemptCount',
    'lastStatusCode',
    'nextAttemptAt',
    'createdAt',
    'completedAt',
  ] as const satisfies readonly (keyof RowOf<WebhookDeliveryModel>)[];

  declare uuid: string;
  declare eventRuleId: number;
  declare eventId: number;
  declare eventType: string;
  /** What created it: the event itself, a request to repeat it, a test of the rule, or a request for missed events. */
  declare trigger: 'event' | 'redelivery' | 'test' | 'missed';
  declare requestedByMemberId: number | null;
  declare status: 'pending' | 'delivered' | 'failed' | 'cancelled';
  declare failureReason: WebhookFailureReason | null;
  /** Number of attempts begun. */
  declare attemptCount: number;
  declare lastStatusCode: number | null;
  /** Null once the delivery is settled. */
  declare nextAttemptAt: Date | null;
  declare createdAt: Date;
  declare completedAt: Date | null;
}

export type WebhookDeliveryRow = RowOf<WebhookDeliveryModel>;
