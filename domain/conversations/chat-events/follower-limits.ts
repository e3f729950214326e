import { Unavailable } from '../../lib/errors.js';

export interface FollowerBounds {
  /** Maximum number of streams in one process. */
  inAll: number;
  /** Maximum number of streams of one member in one process. */
  ofMember: number;
  /** The same for one chat: each of its messages is sent to all of them. */
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
   * Counts one more stream of a member for a chat. The returned function, called once, subtracts it again.
   * @throws Unavailable at a limit
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
