import type { RowOf } from '../../lib/tenant-model.js';
import { column, tenantTable } from '../../lib/tenant-table.js';

export class ChatParticipantModel extends tenantTable('chat_participants', {
  chatId: column<number>(),
  memberId: column<number>(),
  role: column<string>(),
  additionalInstructions: column<string | null>(),
  createdAt: column<Date>(),
}) {}

export type ChatParticipantRow = RowOf<ChatParticipantModel>;
