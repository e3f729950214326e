import type { LivePublisher } from '../../../db/live/live-publisher.js';
import type { ChatPlace, Signal } from '../../../db/live/notices.js';
import { Unavailable } from '../../lib/errors.js';
import type { ChatHub } from './chat-hub.js';

const retryAfterSeconds = 10;
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

  /** Counts a stream of a member for a chat; the returned function releases it. @throws Unavailable */
  admit(memberId: number, chatId: number): () => void {
    if (this.hub.isClosed) throw new Unavailable('This process is stopping.', 1);
    return this.#limits.admit(memberId, chatId);
  }

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

/** Counts what is open under several names at once, each within its bound. */
export class OpenCounts {
  readonly #open = new Map<string, number>();

  /** Counts one more. The returned function, called once, subtracts it again. @throws Unavailable `too_many_streams` */
  admit(counted: readonly (readonly [name: string, bound: number])[]): () => void {
    if (counted.some(([name, bound]) => this.#countOf(name) >= bound)) {
      throw new Unavailable('Too many streams are open.', retryAfterSeconds, 'too_many_streams');
    }
    for (const [name] of counted) this.#add(name, 1);
    return () => {
      for (const [name] of counted) this.#add(name, -1);
    };
  }

  #countOf(name: string): number {
    return this.#open.get(name) ?? 0;
  }

  #add(name: string, change: number): void {
    const count = this.#countOf(name) + change;
    if (count === 0) this.#open.delete(name);
    else this.#open.set(name, count);
  }
}

export class FollowerLimits {
  readonly #bounds;
  readonly #open = new OpenCounts();

  constructor(bounds: { inAll?: number; ofMember?: number; ofMemberInChat?: number } = {}) {
    // Each message of a chat is sent to all of its streams, so they are limited more narrowly.
    this.#bounds = { inAll: 5_000, ofMember: 200, ofMemberInChat: 20, ...bounds };
  }

  /** Counts one more stream of a member for a chat. The returned function, called once, subtracts it again. */
  admit(memberId: number, chatId: number): () => void {
    return this.#open.admit([
      ['all', this.#bounds.inAll],
      [`member ${memberId}`, this.#bounds.ofMember],
      [`member ${memberId} in chat ${chatId}`, this.#bounds.ofMemberInChat],
    ]);
  }
}
