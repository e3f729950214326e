import { column, tenantTable } from '../../lib/tenant-table.js';

export class ChatLabelLinkModel extends tenantTable('chat_label_links', {
  chatId: column<number>(),
  chatLabelId: column<number>(),
  createdAt: column<Date>(),
}) {}
