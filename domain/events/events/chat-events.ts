import type { ChatRow } from '../../../db/conversations/chats.js';
import type { EventChat } from './payloads.js';
import type { NewEvent } from './write-events.js';

export function chatCreatedEvent(chat: ChatRow): NewEvent {
  return { eventType: 'chat:created', payload: { chat: eventChat(chat) } };
}

/** The chat in the form of event payloads: without its messages and without anything derived from them. */
export function eventChat(chat: ChatRow): EventChat {
  return {
    id: chat.id,
    uuid: chat.uuid,
    channel: chat.channel,
    chatType: chat.chatType,
    memberId: chat.memberId,
    createdByMemberId: chat.createdByMemberId,
    assistantMemberId: chat.assistantEnabled ? chat.assistantMemberId : null,
    workflowId: chat.definitionId,
    workflowRevisionId: chat.revisionId,
    phoneNumberId: chat.phoneNumberId,
    inboxId: chat.inboxId,
    siteId: chat.siteId,
    folderId: chat.folderId,
    isTest: chat.isTest,
    createdAt: chat.createdAt.toISOString(),
  };
}
