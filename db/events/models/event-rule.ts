import { column, tenantTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** Why a rule is disabled: by a member, or by the service, because its receiver is gone or has only failed. */
type DisabledReason = 'by_member' | 'gone' | 'failing';

export class EventRuleModel extends tenantTable('event_rules', {
  uuid: column<string>(),
  name: column<string>('configuration'),
  eventType: column<string>('code'),
  actionType: column<string>('code'),
  webhookEndpointId: column<number>(),
  enabled: column<boolean>(),
  disabledAt: column<Date | null>(),
  disabledReason: column<DisabledReason | null>('code'),
  /** Since when every delivery has failed; null after a successful one. */
  failingSince: column<Date | null>(),
  /** On how many days deliveries have failed since, and the last of them. */
  failingDays: unread(),
  failedOn: unread('number'),
  /** When the rule was last given its event type; null: it has had no other. */
  eventTypeSince: unread(),
  /** The times in which it was disabled and may have missed events that are still to be delivered. */
  missedTimes: unread('counts'),
  createdByMemberId: column<number | null>(),
  deletedAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type EventRuleRow = RowOf<EventRuleModel>;
