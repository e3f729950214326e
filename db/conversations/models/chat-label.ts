import { labelColumns } from '../../lib/labels.js';
import { column, tenantTable } from '../../lib/table.js';

export class ChatLabelModel extends tenantTable('chat_labels', {
  ...labelColumns,
  description: column<string>('configuration'),
}) {}

export class ChatLabelLinkModel extends tenantTable('chat_label_links', {
  chatId: column<number>(),
  chatLabelId: column<number>(),
  createdAt: column<Date>(),
}) {}
