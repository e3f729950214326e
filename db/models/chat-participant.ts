import { type RowOf, TenantModel } from './tenant-model.js';

export class ChatParticipantModel extends TenantModel {
  static override tableName = 'chat_participants';

  declare chatId: number;
  declare memberId: number;
  declare role: string;
  declare additionalInstructions: string | null;
  declare createdAt: Date;
}

export type ChatParticipantRow = RowOf<ChatParticipantModel>;
