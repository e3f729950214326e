import type { ChatRow } from '../../db/conversations/chats.js';
import type { Actor } from '../kernel/actor.js';

type Pause = Pick<ChatRow, 'paused' | 'pausedAt' | 'pausedReason' | 'pausedByMemberId'>;

/** The fields of a paused chat; `by` is null if the agent or the service pauses it. */
export function paused(by: number | null, reason: string, at: Date): Pause {
  return { paused: true, pausedAt: at, pausedReason: reason, pausedByMemberId: by };
}

export const notPaused: Pause = { paused: false, pausedAt: null, pausedReason: null, pausedByMemberId: null };

/** Whether anyone but the actor has paused the chat, so that the actor needs `chats:write` to resume it. */
export function isPausedByOthers(actor: Actor, chat: Pause): boolean {
  return chat.paused && chat.pausedByMemberId !== actor.memberId;
}

/** Transfers a member's pause to a colleague. A pause by an agent or a task keeps having no member. */
export function takenOverBy(memberId: number, { pausedByMemberId }: Pause): Partial<Pause> {
  return pausedByMemberId === null ? {} : { pausedByMemberId: memberId };
}

/** The fields of a chat whose agent is not stopped by a budget. */
export const notStopped = { agentStoppedReason: null, agentStoppedUntil: null } as const;

/** The fields of a chat that a colleague answers or returns to the agent: restarts the counting of turns. */
export function released(now: Date): Partial<ChatRow> {
  return { ...notStopped, attendedAt: now, turnsCountedFrom: now };
}
