import type { PhoneCallRow } from '../../../db/calls/phone-calls.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { eventChatOf } from './chat-events.js';
import type { EventEndedCall } from './payloads.js';
import type { NewEvent } from './write-events.js';

/** The event for a call that was answered. */
export function callStartedEvent(chat: ChatRow, call: PhoneCallRow): NewEvent {
  return { eventType: 'call:started', payload: { chat: eventChatOf(chat), call: eventCallOf(call) } };
}

/** The event for a call that has ended, also one that was never answered: without what was said in it. */
export function callCompletedEvent(chat: ChatRow, call: PhoneCallRow): NewEvent {
  return { eventType: 'call:completed', payload: { chat: eventChatOf(chat), call: endedCallOf(call) } };
}

/** The event for the summary of a call. */
export function callSummaryEvent(chat: ChatRow, call: PhoneCallRow, summary: string): NewEvent {
  const payload = { chat: eventChatOf(chat), call: endedCallOf(call), summary };
  return { eventType: 'call:summary', payload };
}

function eventCallOf({ id, phoneNumberId, inbound, createdAt, startedAt }: PhoneCallRow) {
  return {
    id,
    phoneNumberId,
    inbound,
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
  };
}

function endedCallOf(call: PhoneCallRow): EventEndedCall {
  const { terminationReason, carrierStatus, failureDetail } = call;
  const finishedAt = (call.finishedAt ?? call.updatedAt).toISOString();
  return { ...eventCallOf(call), finishedAt, terminationReason, carrierStatus, failureDetail };
}
