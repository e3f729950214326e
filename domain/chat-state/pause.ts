import type { ChatRow } from '../../db/conversations/chats.js';
import type { Actor } from '../kernel/actor.js';

type Pause = Pick<ChatRow, 'paused' | 'pausedAt' | 'pausedReason' | 'pausedByMemberId'>;

/** What a chat is set to when it is paused; `by` is null where the agent or the service does it. */
export function paused(by: number | null, reason: string, at: Date): Pause {
  return { paused: true, pausedAt: at, pausedReason: reason, pausedByMemberId: by };
}

/** What a chat is set to when it is resumed. */
export const notPaused = {
  paused: false,
  pausedAt: null,
  pausedReason: null,
  pausedByMemberId: null,
} as const satisfies Pause;

/** Whether the chat is paused by somebody else than the actor, or by no member: it is not the actor's to resume. */
export function isPausedByOthers(actor: Actor, chat: Pause): boolean {
  return chat.paused && chat.pausedByMemberId !== actor.memberId;
}

/** A colleague takes over the pause of a member. One that an agent or a task has made stays without a member. */
export function takenOverBy(memberId: number, { pausedByMemberId }: Pause): Partial<Pause> {
  return pausedByMemberId === null ? {} : { pausedByMemberId: memberId };
}
