import type { LivePublisher } from '../../../db/live/live-publisher.js';
import type { ChatPlace, Signal } from '../../../db/live/notices.js';
import { Unavailable } from '../../lib/errors.js';
import type { ChatHub } from './chat-hub.js';
import { FollowerLimits } from './follower-limits.js';

/** Minimum interval between two typing notices of a member. */
const typingEveryMs = 2_000;
const mostTypers = 10_000;

/** What an api process needs to follow chats and to publish transient signals. */
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
   * Counts a stream of a member for a chat.
   *
   * @returns a function that releases it
   * @throws Unavailable if there are too many streams, or the process is stopping
   */
  admit(memberId: number, chatId: number): () => void {
    if (this.hub.isClosed) throw new Unavailable('This process is stopping.', 1);
    return this.#limits.admit(memberId, chatId);
  }

  /** Publishes that a member types, at most once per `typingEveryMs`. */
  signalTyping(place: ChatPlace, typing: Extract<Signal, { type: 'typing' }>, now: Date): void {
    const key = `${place.chatId}:${typing.memberId}`;
    const last = this.#typedAt.get(key);
    if (last !== undefined && Math.abs(now.getTime() - last) < typingEveryMs) return;
    if (this.#typedAt.size >= mostTypers) this.#typedAt.clear();
    this.#typedAt.set(key, now.getTime());
    this.#publisher.signal(place, typing);
  }

  close(): Promise<void> {
    return this.hub.close();
  }
}
