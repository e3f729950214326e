import type { ChatRow } from '../../db/conversations/chats.js';

/** What a chat is set to when nothing stops its agent any more. */
export const notStopped = { agentStoppedReason: null, agentStoppedUntil: null } as const;

/** What a chat is set to when a colleague answers it or gives it back to the agent: turns are counted anew. */
export function released(now: Date): Partial<ChatRow> {
  return { ...notStopped, attendedAt: now, turnsCountedFrom: now };
}
