import { type DeliveryRow, findDeliveryOfMessage } from '../../../db/channels/deliveries.js';
import { type EmailRow, findEmailOfDelivery } from '../../../db/channels/emails.js';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import { type ChatRow, findChat, lockChat } from '../../../db/conversations/chats.js';
import {
  findMessageByUuid,
  insertMessage,
  type MessageRow,
  type NewMessage,
} from '../../../db/conversations/messages.js';
import { queueDelivery } from '../../../domain/channels/deliveries/queue-delivery.js';
import { type CreateChat, createChat } from '../../../domain/conversations/chats/create-chat.js';
import { sendAssistantMessage } from '../../../domain/conversations/chats/send-assistant-message.js';
import { takeUserMessage } from '../../../domain/conversations/chats/take-message.js';
import type { MovedClock } from '../lib/moved-clock.js';
import { addMember, type TestMember, type TestWorkspace } from '../workspace/factories.js';
import { addInbox } from '../workspace/inboxes.js';

export interface QueuedEmail {
  delivery: DeliveryRow;
  message: MessageRow;
  email: EmailRow;
}

export interface EmailStage {
  chatId: number;
  inbox: InboxRow;
  member: TestMember;
  address: string;
  /** A colleague writes to the member. */
  write(text: string, files?: readonly number[]): Promise<QueuedEmail>;
  /** The agent, or a task, writes. Resolves to why it cannot be sent. */
  say(text: string, options?: { forTask?: boolean }): Promise<QueuedEmail | string>;
  memberWrites(text: string): Promise<void>;
  queued(messageUuid: string): Promise<QueuedEmail>;
  chat(): Promise<ChatRow>;
}

/** An email chat with a member of its own, whose inbox the relay sends for. */
export async function stageEmails(
  workspace: TestWorkspace,
  clock: MovedClock,
  options: Partial<CreateChat> & { inbox?: InboxRow } = {},
): Promise<EmailStage> {
  const { database, workspaceId } = workspace;
  const { inbox = await addInbox(workspace), ...chatOptions } = options;
  const member = await addMember(workspace, { role: workspace.roles.member });
  const operator = workspace.context(workspace.admin, clock);
  const { id: chatId } = await createChat(operator, {
    channel: 'email',
    inboxId: inbox.id,
    memberId: member.memberId,
    assistantEnabled: false,
    ...chatOptions,
  });
  const within = <T>(work: Parameters<typeof database.inWorkspace<T>>[1]) =>
    database.inWorkspace(workspaceId, work);
  const queued = (uuid: string) =>
    within(async (tx) => {
      const message = existing(await findMessageByUuid(tx, uuid));
      const delivery = existing(await findDeliveryOfMessage(tx, message.id));
      return { message, delivery, email: existing(await findEmailOfDelivery(tx, delivery.id)) };
    });
  return {
    chatId,
    inbox,
    member,
    address: member.row.email ?? '',
    queued,
    write: async (text, files = []) => {
      const sent = { chatId, message: text, toolCalls: [], files };
      const [message] = await sendAssistantMessage(operator, sent);
      return queued(message.uuid);
    },
    say: async (content, { forTask = false } = {}) => {
      const author: NewMessage['author'] = forTask ? 'workflow' : 'agent';
      const [message, reason] = await within(async (tx) => {
        const chat = existing(await lockChat(tx, chatId));
        const stored = await insertMessage(tx, { chatId, role: 'assistant', author, content });
        return [stored, await queueDelivery(tx, chat, stored, clock.now(), { forTask })] as const;
      });
      return reason ?? queued(message.uuid);
    },
    memberWrites: (content) =>
      within(async (tx) => {
        const chat = existing(await lockChat(tx, chatId));
        await takeUserMessage(tx, chat, { content, authorMemberId: chat.memberId }, clock.now());
      }),
    chat: () => within(async (tx) => existing(await findChat(tx, chatId))),
  };
}

function existing<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('what was staged is gone');
  return row;
}
