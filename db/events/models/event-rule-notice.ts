import type { RowOf } from '../../lib/tenant-model.js';
import { column, tenantTable } from '../../lib/tenant-table.js';

/** A mail to one member, to be sent or sent, that a rule was disabled. */
export class EventRuleNoticeModel extends tenantTable('event_rule_notices', {
  uuid: column<string>(),
  eventRuleId: column<number>(),
  memberId: column<number>(),
  reason: column<'gone' | 'failing'>(),
  createdAt: column<Date>(),
  /** When the only attempt to send it began; no other attempt is made. */
  claimedAt: column<Date | null>(),
  claimToken: column<string | null>(),
  sentAt: column<Date | null>(),
  /** A code. */
  failureReason: column<string | null>(),
}) {}

export type EventRuleNoticeRow = RowOf<EventRuleNoticeModel>;
