import type { ChatRow } from '../../db/conversations/chats.js';

/** The fields of a chat whose agent is not stopped by a budget. */
export const notStopped = { agentStoppedReason: null, agentStoppedUntil: null } as const;

/** The fields of a chat that a colleague answers or returns to the agent: restarts the counting of turns. */
export function released(now: Date): Partial<ChatRow> {
  return { ...notStopped, attendedAt: now, turnsCountedFrom: now };
}
