import { Unavailable } from '../errors.js';

export interface FollowerBounds {
  /** Streams that one process holds. */
  inAll: number;
  /** Streams of one member in one process. */
  ofMember: number;
  /** Streams of one member for one chat in one process: each message of the chat is sent to all of them. */
  ofMemberInChat: number;
}

const retryAfterSeconds = 10;

/** Limits the number of open streams. */
export class FollowerLimits {
  readonly #bounds: FollowerBounds;
  readonly #open = new Map<string, number>();

  constructor(bounds: Partial<FollowerBounds> = {}) {
    this.#bounds = { inAll: 5_000, ofMember: 200, ofMemberInChat: 20, ...bounds };
  }

  /**
   * Counts one more stream of a member for a chat. The returned function ends the count; call it once.
   * @throws Unavailable when a bound is reached
   */
  admit(memberId: number, chatId: number): () => void {
    const counted = [
      ['all', this.#bounds.inAll],
      [`member ${memberId}`, this.#bounds.ofMember],
      [`member ${memberId} in chat ${chatId}`, this.#bounds.ofMemberInChat],
    ] as const;
    if (counted.some(([key, bound]) => this.#countOf(key) >= bound)) {
      throw new Unavailable('Too many streams are open.', retryAfterSeconds, 'too_many_streams');
    }
    for (const [key] of counted) this.#add(key, 1);
    return () => {
      for (const [key] of counted) this.#add(key, -1);
    };
  }

  #countOf(key: string): number {
    return this.#open.get(key) ?? 0;
  }

  #add(key: string, change: number): void {
    const count = this.#countOf(key) + change;
    if (count === 0) this.#open.delete(key);
    else this.#open.set(key, count);
  }
}
