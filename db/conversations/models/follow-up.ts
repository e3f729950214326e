import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class FollowUpModel extends tenantTable('follow_ups', {
  uuid: column<string>(),
  chatId: column<number>(),
  instructions: column<string>('personal'),
  dueAt: column<Date>(),
  firedAt: column<Date | null>(),
  cancelledAt: column<Date | null>(),
  createdAt: column<Date>(),
  /** The member of the assistant, or the colleague who wrote in its name; null where unknown. */
  scheduledByMemberId: column<number | null>(),
  /** Null where the service cancelled it. */
  cancelledByMemberId: column<number | null>(),
}) {}

export type FollowUpRow = RowOf<FollowUpModel>;
