import { Unavailable } from '../../lib/errors.js';

export interface FollowerBounds {
  /** Maximum number of streams in one process. */
  inAll: number;
  /** Maximum number of streams of one member in one process. */
  ofMember: number;
}

const retryAfterSeconds = 10;

/** Limits the number of open streams, in total and per member. */
export class FollowerLimits {
  readonly #bounds: FollowerBounds;
  readonly #ofMembers = new Map<number, number>();
  #inAll = 0;

  constructor(bounds: FollowerBounds = { inAll: 5_000, ofMember: 200 }) {
    this.#bounds = bounds;
  }

  /**
   * Counts one more stream.
   *
   * @returns a function that releases it, to be called once
   * @throws Unavailable if a limit is reached
   */
  admit(memberId: number): () => void {
    const ofMember = this.#ofMembers.get(memberId) ?? 0;
    if (this.#inAll >= this.#bounds.inAll || ofMember >= this.#bounds.ofMember) {
      throw new Unavailable('Too many streams are open.', retryAfterSeconds, 'too_many_streams');
    }
    this.#inAll += 1;
    this.#ofMembers.set(memberId, ofMember + 1);
    return () => {
      this.#inAll -= 1;
      const left = (this.#ofMembers.get(memberId) ?? 1) - 1;
      if (left === 0) this.#ofMembers.delete(memberId);
      else this.#ofMembers.set(memberId, left);
    };
  }
}
