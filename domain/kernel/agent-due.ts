import type { ChatRow } from '../../db/conversations/chats.js';

/** Whether nothing keeps the agent from speaking in this chat. */
export function agentMaySpeak(chat: ChatRow): boolean {
  return chat.assistantEnabled && !chat.paused && !chat.archived && chat.agentStoppedReason === null;
}

/** Whether the agent owes this chat a turn: something is new, and nothing keeps it from answering. */
export function agentIsDue(chat: ChatRow): boolean {
  return chat.version > chat.handledVersion && agentMaySpeak(chat);
}
