import type { ChatRow } from '../../../db/conversations/chats.js';
import { eventChat } from './chat-events.js';
import type { EventEndedCall, EventStartedCall } from './payload-parts.js';
import type { NewEvent } from './write-events.js';

export interface StartedCall {
  id: number;
  phoneNumberId: number;
  inbound: boolean;
  createdAt: Date;
  /** Null while the call rings. */
  startedAt: Date | null;
}

export interface EndedCall extends StartedCall {
  finishedAt: Date;
  terminationReason: string | null;
  carrierStatus: string | null;
  failureDetail: string | null;
}

export function callStartedEvent(chat: ChatRow, call: StartedCall): NewEvent {
  return { eventType: 'call:started', payload: { chat: eventChat(chat), call: startedCall(call) } };
}

/**
 * The event for the end of a call. Audio and transcript are not part of it; reading them needs the scope `chats:read`.
 */
export function callCompletedEvent(chat: ChatRow, call: EndedCall): NewEvent {
  return { eventType: 'call:completed', payload: { chat: eventChat(chat), call: endedCall(call) } };
}

export function callSummaryEvent(chat: ChatRow, call: EndedCall, summary: string): NewEvent {
  const payload = { chat: eventChat(chat), call: endedCall(call), summary };
  return { eventType: 'call:summary', payload };
}

function startedCall({ id, phoneNumberId, inbound, createdAt, startedAt }: StartedCall): EventStartedCall {
  return {
    id,
    phoneNumberId,
    inbound,
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
  };
}

function endedCall(call: EndedCall): EventEndedCall {
  return {
    ...startedCall(call),
    finishedAt: call.finishedAt.toISOString(),
    terminationReason: call.terminationReason,
    carrierStatus: call.carrierStatus,
    failureDetail: call.failureDetail,
  };
}
