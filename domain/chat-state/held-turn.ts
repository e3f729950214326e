import { type ChatRow, lockChat, patchChat } from '../../db/conversations/chats.js';
import { agentIsDue } from '../kernel/agent-due.js';
import { alertColleague } from '../kernel/alert-colleague.js';
import type { ServiceContext } from '../kernel/context.js';

/** Time after which a colleague is alerted as well; the turn remains due. */
const callAfterMs = 20 * 60_000;
/** Time after which the turn is abandoned. */
const maxHoldMs = 24 * 3_600_000;
const maxPauseMs = 15 * 60_000;
/** A hold that ended longer ago than this is unrelated to a new one. */
const staleAfterMs = 3_600_000;

const notHeld = { agentHeldSince: null, agentHeldUntil: null } as const;

/** Until when a due turn is held because of the model's provider; undefined if it is not held. */
export function heldUntil(chat: ChatRow, now: Date): Date | undefined {
  const until = chat.agentHeldUntil;
  return until !== null && until > now && agentIsDue(chat) ? until : undefined;
}

/** Postpones a due turn, because the provider's account is not usable, by `retryAfterMs` to `maxPauseMs`. */
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
    if (heldMs >= maxHoldMs) {
      await alertColleague(tx, chat, 'model_unavailable', { ...notHeld, handledVersion: chat.version });
      return;
    }
    const pauseMs = Math.min(Math.max(heldMs / 4, retryAfterMs), maxPauseMs);
    const hold = { agentHeldSince: since, agentHeldUntil: new Date(now.getTime() + pauseMs) };
    if (heldMs < callAfterMs || chat.needsResponse) await patchChat(tx, chat.id, hold);
    else await alertColleague(tx, chat, 'model_unavailable', hold);
  });
}

function heldSince({ agentHeldSince, agentHeldUntil }: ChatRow, now: Date): Date {
  const isStale = agentHeldUntil === null || now.getTime() - agentHeldUntil.getTime() > staleAfterMs;
  return agentHeldSince === null || isStale ? now : agentHeldSince;
}

/** The changes that end a hold, to be written together with an answer of the model. */
export function holdEnded(chat: ChatRow): Partial<ChatRow> {
  return chat.agentHeldSince === null ? {} : notHeld;
}

export function earliest(...times: (Date | null | undefined)[]): Date | undefined {
  const set = times.filter((time) => time !== null && time !== undefined);
  return set.length === 0 ? undefined : new Date(Math.min(...set.map((time) => time.getTime())));
}
