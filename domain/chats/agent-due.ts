import type { ChatRow } from '../../db/queries/chats.js';

/** Whether the agent owes this chat a turn: something is new, and nothing keeps it from answering. */
export function agentIsDue(chat: ChatRow): boolean {
  return chat.version > chat.handledVersion && chat.assistantEnabled && !chat.paused && !chat.archived;
}
