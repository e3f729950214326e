import type { ChatRow } from '../../../db/conversations/chats.js';
import type { Signal } from '../../../db/live/notices.js';
import { agentMaySpeak } from '../../kernel/agent-due.js';
import type { ChatChange } from './chat-change.js';

type Dropped = Extract<Signal, { type: 'reply.dropped' }>;
type Draft = Pick<Dropped, 'turn' | 'round'>;

/**
 * What one reader is told of the agent's writing. A model that was asked goes on for a while after the chat was paused
 * or archived: its words are held back from then on, since nobody will have said them.
 */
export class DraftGate {
  #maySpeak: boolean;
  /** The draft that the reader has some of. */
  #told: Draft | undefined;
  /** The draft of which it is told no more, whether or not the agent may speak again. */
  #over: Draft | undefined;

  /** @param chat as the reader finds it */
  constructor(chat: ChatRow) {
    this.#maySpeak = agentMaySpeak(chat);
  }

  /** Whether the reader is to be told. */
  admits(signal: Signal): boolean {
    if (signal.type === 'typing') return this.#maySpeak || !signal.isAgent || !signal.active;
    if (!this.#maySpeak) this.#over = signal;
    if (isSame(signal, this.#over)) return false;
    this.#told = signal.type === 'reply.delta' ? signal : undefined;
    return true;
  }

  /** Takes note of a change that the reader was told. @returns that its draft is dropped, where that follows from it */
  after(change: ChatChange): Dropped | undefined {
    const told = this.#told;
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
