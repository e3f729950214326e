import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A mail or an SMS to one member, to be sent or sent, that chats wait for a person. */
export class HandoffNoticeModel extends tenantTable('handoff_notices', {
  uuid: column<string>(),
  memberId: column<number>(),
  channel: column<'email' | 'sms'>('code'),
  createdAt: column<Date>(),
  /** When the only attempt to send it began; no other attempt is made. */
  claimedAt: column<Date | null>(),
  claimToken: column<string | null>(),
  sentAt: column<Date | null>(),
  /** A code. */
  failureReason: column<string | null>('code'),
}) {}

export type HandoffNoticeRow = RowOf<HandoffNoticeModel>;
