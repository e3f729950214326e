import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** Why a rule is disabled: by a member, or by the service, because its receiver is gone or has only failed. */
type DisabledReason = 'by_member' | 'gone' | 'failing';

export class EventRuleModel extends tenantTable('event_rules', {
  uuid: column<string>(),
  name: column<string>(),
  eventType: column<string>(),
  actionType: column<string>(),
  webhookEndpointId: column<number>(),
  enabled: column<boolean>(),
  disabledAt: column<Date | null>(),
  disabledReason: column<DisabledReason | null>(),
  /** Since when every delivery has failed; null after a successful one. */
  failingSince: column<Date | null>(),
  createdByMemberId: column<number | null>(),
  deletedAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type EventRuleRow = RowOf<EventRuleModel>;
