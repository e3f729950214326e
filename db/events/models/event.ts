import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** An event of the workspace, as receivers of webhooks get it. It never changes. */
export class EventModel extends tenantTable('events', {
  uuid: column<string>(),
  eventType: column<string>('code'),
  /** The bytes that receivers get: a JSON object. */
  body: column<string>('personal'),
  /** The data record that it is about, with which it is deleted. */
  dataRecordId: column<number | null>(),
  createdAt: column<Date>(),
  /** True for a sample. */
  isTest: column<boolean>(),
  /** The member that it is about, whose erasure deletes it. */
  memberId: column<number | null>(),
}) {}

export type EventRow = RowOf<EventModel>;
