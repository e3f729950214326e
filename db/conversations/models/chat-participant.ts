import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class ChatParticipantModel extends TenantModel {
  static override tableName = 'chat_participants';
  static fields = [
    'id',
    'workspaceId',
    'chatId',
    'memberId',
    'role',
    'additionalInstructions',
    'createdAt',
  ] as const satisfies readonly (keyof RowOf<ChatParticipantModel>)[];

  declare chatId: number;
  declare memberId: number;
  declare role: string;
  declare additionalInstructions: string | null;
  declare createdAt: Date;
}

export type ChatParticipantRow = RowOf<ChatParticipantModel>;
