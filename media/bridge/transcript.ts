/** Waits for the words of one item. */
interface Place {
  itemId: string;
  /** Undefined: not known yet. */
  words: (() => void) | undefined;
  /** Until when those after it wait for it. */
  until: number;
}

/** How long what was said later waits for a transcript. */
const patienceMs = 5_000;

/**
 * Puts what was said into its order: transcripts of the caller come late, and not in the order of speaking. One that fails, or takes
 * too long, keeps nothing back.
 */
export class Transcript {
  #places: Place[] = [];

  /** @param until when those after it stop waiting for it; absent: they wait, as for words that are being played */
  begin(itemId: string, until = Number.POSITIVE_INFINITY): void {
    if (this.#places.some((place) => place.itemId === itemId)) return;
    this.#places.push({ itemId, words: undefined, until });
  }

  /** Begins an item of the caller, whose words come later. */
  beginHeard(itemId: string, now: number): void {
    this.begin(itemId, now + patienceMs);
  }

  /** @param store is called when it is the item's turn, or at once if it is late */
  settle(itemId: string, store: () => void, now: number): void {
    const place = this.#places.find((one) => one.itemId === itemId);
    if (place === undefined) {
      store();
      return;
    }
    place.words = store;
    this.flush(now);
  }

  /** The item was not said. */
  forget(itemId: string, now: number): void {
    this.#places = this.#places.filter((place) => place.itemId !== itemId);
    this.flush(now);
  }

  /** Stores what has waited for its turn long enough. @returns when to come back */
  flush(now: number): number | undefined {
    for (;;) {
      const [first] = this.#places;
      if (first === undefined) return undefined;
      if (first.words === undefined && first.until > now) break;
      this.#places.shift();
      first.words?.();
    }
    const until = this.#places[0]?.until;
    return until === Number.POSITIVE_INFINITY ? undefined : until;
  }

  /** Whether words of the caller are still to come. */
  isAwaiting(itemIds: ReadonlySet<string>): boolean {
    return this.#places.some(({ itemId, words }) => words === undefined && itemIds.has(itemId));
  }

  /** Stores all that is known, in its order. */
  flushAll(): void {
    for (const { words } of this.#places.splice(0)) words?.();
  }
}
