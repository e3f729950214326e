import type { ChatRow } from '../../../db/conversations/chats.js';
import type { EventChat } from './payloads.js';
import type { NewEvent } from './write-events.js';

/** The event for a new chat: without its messages and without anything derived from them. */
export function chatCreatedEvent(row: ChatRow): NewEvent {
  const chat: EventChat = {
    id: row.id,
    uuid: row.uuid,
    channel: row.channel,
    chatType: row.chatType,
    memberId: row.memberId,
    createdByMemberId: row.createdByMemberId,
    assistantMemberId: row.assistantEnabled ? row.assistantMemberId : null,
    workflowId: row.definitionId,
    workflowRevisionId: row.revisionId,
    phoneNumberId: row.phoneNumberId,
    inboxId: row.inboxId,
    siteId: row.siteId,
    folderId: row.folderId,
    isTest: row.isTest,
    createdAt: row.createdAt.toISOString(),
  };
  return { eventType: 'chat:created', payload: { chat } };
}
