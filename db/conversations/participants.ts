import type { Tx } from '../tx.js';
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

/** A member's participation in a chat; undefined if it does not take part. */
export async function findParticipant(
  tx: Tx,
  chatId: number,
  memberId: number,
): Promise<ChatParticipantRow | undefined> {
  return ChatParticipantModel.first(tx, 'chat_id = ? and member_id = ?', [chatId, memberId]);
}

export async function isParticipant(tx: Tx, chatId: number, memberId: number): Promise<boolean> {
  return (await findParticipant(tx, chatId, memberId)) !== undefined;
}

/** The role with which a member takes part in a chat; undefined if it does not. */
export async function findParticipantRole(
  tx: Tx,
  chatId: number,
  memberId: number,
): Promise<string | undefined> {
  return (await findParticipant(tx, chatId, memberId))?.role;
}

export async function patchParticipant(tx: Tx, id: number, changes: ParticipantChanges): Promise<void> {
  await ChatParticipantModel.patch(tx, id, changes);
}

export async function deleteParticipant(tx: Tx, id: number): Promise<void> {
  await ChatParticipantModel.deleteWhere(tx, 'id = ?', [id]);
}

export async function countParticipants(tx: Tx, chatId: number): Promise<number> {
  return ChatParticipantModel.count(tx, 'chat_id = ?', [chatId]);
}
