/**
 * Looks that requests for the same thing share. A request gets the answer of a look that began after it: never one that may be older
 * than the request. While one look is under way, all who come wait for the same next one.
 */
export class SharedReads<Found> {
  readonly #under = new Map<string, { running: Promise<Found>; next: Promise<Found> | undefined }>();

  async ask(name: string, look: () => Promise<Found>): Promise<Found> {
    const under = this.#under.get(name);
    if (under === undefined) return this.#begin(name, look);
    under.next ??= under.running.then(
      () => this.#begin(name, look),
      () => this.#begin(name, look),
    );
    return under.next;
  }

  #begin(name: string, look: () => Promise<Found>): Promise<Found> {
    const running = look();
    const mine: { running: Promise<Found>; next: Promise<Found> | undefined } = { running, next: undefined };
    this.#under.set(name, mine);
    const end = () => {
      // With a next look, that one takes its place.
      if (mine.next === undefined) this.#under.delete(name);
    };
    running.then(end, end);
    return running;
  }
}
