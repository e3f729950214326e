/** The shortest time between two notices of one address: after each, clients read what it names. */
const minGapMs = 1_000;

/** Tells that addresses have changed: at once, and what comes soon after as one notice. */
export class Notices {
  readonly #tell: (uri: string) => void;
  readonly #resting = new Map<string, { timer: NodeJS.Timeout; hasMore: boolean }>();

  constructor(tell: (uri: string) => void) {
    this.#tell = tell;
  }

  changed(uri: string): void {
    const resting = this.#resting.get(uri);
    if (resting !== undefined) {
      resting.hasMore = true;
      return;
    }
    const timer = setTimeout(() => {
      const hasMore = this.#resting.get(uri)?.hasMore === true;
      this.#resting.delete(uri);
      if (hasMore) this.changed(uri);
    }, minGapMs);
    this.#resting.set(uri, { timer, hasMore: false });
    this.#tell(uri);
  }

  stop(): void {
    for (const { timer } of this.#resting.values()) clearTimeout(timer);
    this.#resting.clear();
  }
}
