import type { ChatRow } from '../../db/conversations/chats.js';

export function agentMaySpeak(chat: ChatRow): boolean {
  return chat.assistantEnabled && !chat.paused && !chat.archived && chat.agentStoppedReason === null;
}

/** Whether the agent owes this chat a turn: there is something new, and the agent may speak. */
export function agentIsDue(chat: ChatRow): boolean {
  return chat.version > chat.handledVersion && agentMaySpeak(chat);
}
