import { type DeliveryRow, findDeliveryOfMessage } from '../../../db/channels/deliveries.js';
import { type ChatRow, findChat, lockChat } from '../../../db/conversations/chats.js';
import { findMessageByUuid, type MessageRow } from '../../../db/conversations/messages.js';
import { type CreateChat, createChat } from '../../../domain/conversations/chats/create-chat.js';
import { sendAssistantMessage } from '../../../domain/conversations/chats/send-assistant-message.js';
import { takeUserMessage } from '../../../domain/conversations/chats/take-message.js';
import type { MovedClock } from '../lib/moved-clock.js';
import { addPhoneNumber } from '../workspace/definitions.js';
import { addMember, type TestMember, type TestWorkspace } from '../workspace/factories.js';

export interface DeliveryStage {
  chatId: number;
  number: string;
  member: TestMember;
  /** A colleague writes to the member. */
  write(text: string, files?: readonly number[]): Promise<{ delivery: DeliveryRow; message: MessageRow }>;
  /** The member writes into the chat. */
  memberWrites(text: string): Promise<void>;
  delivery(messageUuid: string): Promise<DeliveryRow>;
  message(messageUuid: string): Promise<MessageRow>;
  chat(): Promise<ChatRow>;
}

/** An SMS chat with a member of its own, in which a colleague's messages are delivered. */
export async function stageDeliveries(
  workspace: TestWorkspace,
  clock: MovedClock,
  options: Partial<CreateChat> = {},
): Promise<DeliveryStage> {
  const { database, workspaceId } = workspace;
  const number = await addPhoneNumber(workspace, { mmsEnabled: true });
  const member = await addMember(workspace, { role: workspace.roles.member });
  const operator = workspace.context(workspace.admin, clock);
  const { id: chatId } = await createChat(operator, {
    channel: 'phone-sms',
    phoneNumberId: number.id,
    memberId: member.memberId,
    assistantEnabled: false,
    ...options,
  });
  const message = async (uuid: string) =>
    existing(await database.inWorkspace(workspaceId, (tx) => findMessageByUuid(tx, uuid)));
  const delivery = async (uuid: string) => {
    const { id } = await message(uuid);
    return existing(await database.inWorkspace(workspaceId, (tx) => findDeliveryOfMessage(tx, id)));
  };
  return {
    chatId,
    number: number.number,
    member,
    message,
    delivery,
    write: async (text, files = []) => {
      const sent = { chatId, message: text, toolCalls: [], files };
      const [{ uuid }] = await sendAssistantMessage(operator, sent);
      return { delivery: await delivery(uuid), message: await message(uuid) };
    },
    memberWrites: async (content) => {
      await database.inWorkspace(workspaceId, async (tx) => {
        const chat = existing(await lockChat(tx, chatId));
        await takeUserMessage(tx, chat, { content, authorMemberId: chat.memberId }, clock.now());
      });
    },
    chat: async () => existing(await database.inWorkspace(workspaceId, (tx) => findChat(tx, chatId))),
  };
}

function existing<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('what was staged is gone');
  return row;
}
