import type { Tx } from '../database.js';
import { patchRow, selectRow } from '../lib/rows.js';
import { ChatParticipantModel, type ChatParticipantRow } from './models/chat.js';

export type { ChatParticipantRow } from './models/chat.js';

export type ParticipantChanges = Partial<
  Pick<
    ChatParticipantRow,
    | 'role'
    | 'additionalInstructions'
    | 'chatModelId'
    | 'realtimeModelId'
    | 'chatModelConfig'
    | 'realtimeModelConfig'
  >
>;

export async function findParticipant(
  tx: Tx,
  chatId: number,
  id: number,
): Promise<ChatParticipantRow | undefined> {
  return selectRow(ChatParticipantModel, tx, 'chat_id = ? and id = ?', [chatId, id]);
}

export async function findParticipantOfMember(
  tx: Tx,
  chatId: number,
  memberId: number,
): Promise<ChatParticipantRow | undefined> {
  return selectRow(ChatParticipantModel, tx, 'chat_id = ? and member_id = ?', [chatId, memberId]);
}

export async function patchParticipant(tx: Tx, id: number, changes: ParticipantChanges): Promise<void> {
  await patchRow(ChatParticipantModel, tx, id, changes);
}

export async function deleteParticipant(tx: Tx, id: number): Promise<void> {
  await ChatParticipantModel.query(tx).deleteById(id);
}

export async function countParticipants(tx: Tx, chatId: number): Promise<number> {
  return ChatParticipantModel.query(tx).where({ chat_id: chatId }).resultSize();
}
