import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** How far the chats of a workspace that wait have been looked at. It has one row at most. */
export class HandoffTellingModel extends tenantTable('handoff_tellings', {
  /** Chats that were open until then have been told, or no notices were wanted. */
  lookedUntil: column<Date>(),
  toldAt: column<Date | null>(),
  /** The time and the id of a chat up to which events were written. */
  eventsUntil: column<Date>(),
  eventsAfter: column<number>(),
  /** People have been told of mail that was held until then, or need not be. Null in rows of earlier releases. */
  emailsToldUntil: column<Date | null>(),
}) {}

export type HandoffTellingRow = RowOf<HandoffTellingModel>;
