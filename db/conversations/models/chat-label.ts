import type { RowOf } from '../../lib/tenant-model.js';
import { column, tenantTable } from '../../lib/tenant-table.js';

export class ChatLabelModel extends tenantTable('chat_labels', {
  uuid: column<string>(),
  name: column<string>(),
  slug: column<string>(),
  /** `#rrggbb`. */
  color: column<string>(),
  description: column<string>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type ChatLabelRow = RowOf<ChatLabelModel>;
