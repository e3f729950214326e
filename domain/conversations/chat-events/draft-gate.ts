import type { ChatRow } from '../../../db/conversations/chats.js';
import type { Signal } from '../../../db/live/notices.js';
import { agentMaySpeak } from '../../kernel/agent-due.js';
import type { ChatChange } from './read-changes.js';

type Dropped = Extract<Signal, { type: 'reply.dropped' }>;
type Draft = Pick<Dropped, 'turn' | 'round'>;

/**
 * Filters the signals about the agent's writing for one reader. A model call continues for a while after the chat is
 * paused or archived; its text is withheld from then on, because it will never become a message.
 */
export class DraftGate {
  #maySpeak: boolean;
  /** The draft of which the reader has received parts. */
  #told: Draft | undefined;
  /** The draft of which the reader receives nothing more, even if the agent may speak again. */
  #over: Draft | undefined;

  /** @param chat the chat when the reader begins to follow it */
  constructor(chat: ChatRow) {
    this.#maySpeak = agentMaySpeak(chat);
  }

  admits(signal: Signal): boolean {
    if (signal.type === 'call.speaking') return true;
    if (signal.type === 'typing') return this.#maySpeak || !signal.isAgent || !signal.active;
    if (!this.#maySpeak) this.#over = signal;
    if (isSame(signal, this.#over)) return false;
    this.#told = signal.type === 'reply.delta' ? signal : undefined;
    return true;
  }

  /** Takes a change that the reader has received. @returns the signal that drops a draft made obsolete by it */
  after(change: ChatChange): Dropped | undefined {
    const told = this.#told;
    if (change.kind === 'timeline.added' || change.kind === 'call.updated') return undefined;
    if (change.kind !== 'chat.updated') {
      const { turnUuid: turn, turnRound: round } = change.message;
      if (isSame({ turn, round }, told)) this.#told = undefined;
      return undefined;
    }
    this.#maySpeak = agentMaySpeak(change.chat);
    if (this.#maySpeak || told === undefined) return undefined;
    this.#over = told;
    this.#told = undefined;
    return { type: 'reply.dropped', turn: told.turn, round: told.round };
  }
}

function isSame(one: { turn: string | null; round: number | null }, other: Draft | undefined): boolean {
  return one.turn === other?.turn && one.round === other?.round;
}
