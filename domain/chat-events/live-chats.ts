import type { LivePublisher } from '../../db/live/live-publisher.js';
import type { ChatPlace, Signal } from '../../db/live/notices.js';
import { Unavailable } from '../errors.js';
import type { ChatHub } from './chat-hub.js';
import { FollowerLimits } from './follower-limits.js';

/** A member's typing is told at most so often. */
const typingEveryMs = 2_000;
const mostTypers = 10_000;

/** What an api process has to follow chats with, and to say what is not kept. */
export class LiveChats {
  readonly hub: ChatHub;
  readonly #limits: FollowerLimits;
  readonly #publisher: LivePublisher;
  readonly #typedAt = new Map<string, number>();

  constructor(hub: ChatHub, publisher: LivePublisher, limits = new FollowerLimits()) {
    this.hub = hub;
    this.#limits = limits;
    this.#publisher = publisher;
  }

  /**
   * Counts a stream of a member for a chat. The returned function ends the count.
   * @throws Unavailable when too many are open, or the process stops
   */
  admit(memberId: number, chatId: number): () => void {
    if (this.hub.isClosed) throw new Unavailable('This process is stopping.', 1);
    return this.#limits.admit(memberId, chatId);
  }

  /** Tells that a member types, unless that was told a moment ago. */
  signalTyping(place: ChatPlace, typing: Extract<Signal, { type: 'typing' }>, now: Date): void {
    const key = `${place.chatId}:${typing.memberId}`;
    const last = this.#typedAt.get(key);
    if (last !== undefined && Math.abs(now.getTime() - last) < typingEveryMs) return;
    if (this.#typedAt.size >= mostTypers) this.#typedAt.clear();
    this.#typedAt.set(key, now.getTime());
    this.#publisher.signal(place, typing);
  }

  /** Ends all streams. */
  close(): Promise<void> {
    return this.hub.close();
  }
}
