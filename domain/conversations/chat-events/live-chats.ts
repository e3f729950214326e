import type { LivePublisher } from '../../../db/live/live-publisher.js';
import type { ChatPlace, Signal } from '../../../db/live/notices.js';
import { Unavailable } from '../../lib/errors.js';
import type { ChatHub, Follower } from './chat-hub.js';

const retryAfterSeconds = 10;
const typingEveryMs = 2_000;
const mostTypers = 10_000;
/** Each look is a read of the chat: far fewer than there are streams. */
const mostLooks = 200;
const mostLooksOfMember = 20;

/** How long an answer waits for a change of a chat. */
export const lookForMs = 2_000;

/** What an api process needs to follow chats and to publish transient signals. */
export class LiveChats {
  readonly hub: ChatHub;
  readonly #limits: FollowerLimits;
  readonly #publisher: LivePublisher;
  readonly #typedAt = new Map<string, number>();
  readonly #looks = new OpenCounts();
  readonly #forMs: number;

  constructor(
    hub: ChatHub,
    publisher: LivePublisher,
    limits = new FollowerLimits(),
    { forMs = lookForMs }: { forMs?: number } = {},
  ) {
    this.hub = hub;
    this.#limits = limits;
    this.#publisher = publisher;
    this.#forMs = forMs;
  }

  /** Counts a stream of a member for a chat; the returned function releases it. @throws Unavailable */
  admit(memberId: number, chatId: number): () => void {
    if (this.hub.isClosed) throw new Unavailable('This process is stopping.', 1);
    return this.#limits.admit(memberId, chatId);
  }

  /**
   * Looks at a chat now and after each of its changes until `look` has seen what it waits for, for two seconds at most. Between
   * two looks nothing is held. @throws Unavailable if as many wait as may; what `look` throws
   */
  async lookUntil(place: ChatPlace, memberId: number, look: () => Promise<boolean>): Promise<void> {
    const end = this.#looks.admit([
      ['all', mostLooks],
      [`member ${memberId}`, mostLooksOfMember],
    ]);
    const changes = new Changes();
    const unfollow = this.hub.follow(place, 0, changes);
    const timers = [
      // Not everything that may end the wait is a change of the chat.
      setTimeout(() => changes.takeBatch(), this.#forMs / 4),
      setTimeout(() => changes.end(), this.#forMs),
    ];
    try {
      while (!(await look()) && (await changes.next()));
    } finally {
      for (const timer of timers) clearTimeout(timer);
      unfollow();
      end();
    }
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

/** The changes of a chat since one last asked, as a single one. */
class Changes implements Follower {
  #hasChanged = false;
  #hasEnded = false;
  #wake = () => {};

  takeBatch(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  takeSignal(): void {}

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** @returns whether there is a change, once there is one; false when no more will be told */
  async next(): Promise<boolean> {
    if (!this.#hasChanged && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const changed = this.#hasChanged && !this.#hasEnded;
    this.#hasChanged = false;
    return changed;
  }
}
