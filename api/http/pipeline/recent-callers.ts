interface Recent {
  owner: string;
  at: number;
}

/** Tracks whether other callers have recently sent requests. */
export class RecentCallers {
  readonly #withinMs: number;
  readonly #now: () => number;
  #latest: Recent | undefined;
  /** The latest request of another owner than `#latest`. */
  #other: Recent | undefined;

  constructor(withinMs = 1_000, now: () => number = () => performance.now()) {
    this.#withinMs = withinMs;
    this.#now = now;
  }

  note(owner: string): void {
    if (this.#latest !== undefined && this.#latest.owner !== owner) this.#other = this.#latest;
    this.#latest = { owner, at: this.#now() };
  }

  hasOthersThan(owner: string): boolean {
    const found = this.#latest?.owner === owner ? this.#other : this.#latest;
    return found !== undefined && this.#now() - found.at < this.#withinMs;
  }
}
