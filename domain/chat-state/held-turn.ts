import { type ChatRow, lockChat, updateChat } from '../../db/conversations/chats.js';
import { agentIsDue } from '../kernel/agent-due.js';
import { callPerson } from '../kernel/call-person.js';
import type { ServiceContext } from '../kernel/context.js';

/** After which time a person is called as well, although the turn stays due. */
const callAfterMs = 20 * 60_000;
/** After which time the turn is given up. */
const longestHoldMs = 24 * 3_600_000;
const longestPauseMs = 15 * 60_000;
/** A hold that was not renewed for so long belongs to the past. */
const staleAfterMs = 3_600_000;

const notHeld = { agentHeldSince: null, agentHeldUntil: null } as const;

/** Until when a turn that is due waits for the model's provider; undefined when it does not. */
export function heldUntil(chat: ChatRow, now: Date): Date | undefined {
  const until = chat.agentHeldUntil;
  return until !== null && until > now && agentIsDue(chat) ? until : undefined;
}

/**
 * Puts off a turn because the account at the model's provider cannot be used. It stays due and is taken again by
 * itself: after a minute at first, after a quarter of an hour later on. A person is called after twenty minutes; after
 * a day the turn is given up.
 */
export async function holdTurn(
  context: ServiceContext,
  ref: { workspaceId: number; chatId: number },
  retryAfterMs: number,
): Promise<void> {
  const now = context.clock.now();
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const chat = await lockChat(tx, ref.chatId);
    if (chat === undefined || !agentIsDue(chat)) return;
    const since = heldSince(chat, now);
    const heldMs = now.getTime() - since.getTime();
    if (heldMs >= longestHoldMs) {
      await callPerson(tx, chat, 'model_unavailable', { ...notHeld, handledVersion: chat.version });
      return;
    }
    const pauseMs = Math.min(Math.max(heldMs / 4, retryAfterMs), longestPauseMs);
    const hold = { agentHeldSince: since, agentHeldUntil: new Date(now.getTime() + pauseMs) };
    if (heldMs < callAfterMs || chat.needsResponse) await updateChat(tx, chat.id, hold);
    else await callPerson(tx, chat, 'model_unavailable', hold);
  });
}

function heldSince({ agentHeldSince, agentHeldUntil }: ChatRow, now: Date): Date {
  const isStale = agentHeldUntil === null || now.getTime() - agentHeldUntil.getTime() > staleAfterMs;
  return agentHeldSince === null || isStale ? now : agentHeldSince;
}

/** What is to be written with an answer of the model, where the chat's turn was held. */
export function holdEnded(chat: ChatRow): Partial<ChatRow> {
  return chat.agentHeldSince === null ? {} : notHeld;
}

/** The earliest of the times that are set. */
export function earliest(...times: (Date | null | undefined)[]): Date | undefined {
  const set = times.filter((time) => time !== null && time !== undefined);
  return set.length === 0 ? undefined : new Date(Math.min(...set.map((time) => time.getTime())));
}
