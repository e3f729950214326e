import type { ChatRow } from '../../../db/conversations/chats.js';
import type { EventChat } from './payloads.js';
import type { NewEvent } from './write-events.js';

/** The event for a new chat: without its messages and without anything derived from them. */
export function chatCreatedEvent(row: ChatRow): NewEvent {
  return { eventType: 'chat:created', payload: { chat: eventChatOf(row) } };
}

/** The event for a chat that is archived, or whose member was deleted. */
export function chatClosedEvent(row: ChatRow, reason: 'archived' | 'member_deleted'): NewEvent {
  return { eventType: 'chat:closed', payload: { chat: eventChatOf(row), reason } };
}

/** The event for a chat that waits for a person. */
export function chatNeedsResponseEvent(row: ChatRow): NewEvent {
  const payload = {
    chat: eventChatOf(row),
    reason: row.needsResponseReason,
    waitingSince: (row.needsResponseSince ?? row.updatedAt).toISOString(),
  };
  return { eventType: 'chat:needs_response', payload };
}

/** The chat of an event. */
export function eventChatOf(row: ChatRow): EventChat {
  return {
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
    fromMessageId: row.fromMessageId,
    isTest: row.isTest,
    createdAt: row.createdAt.toISOString(),
  };
}
