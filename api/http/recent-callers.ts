interface Recent {
  owner: string;
  at: number;
}

/** Whether requests of others than a caller came in lately. */
export class RecentCallers {
  readonly #withinMs: number;
  readonly #now: () => number;
  #latest: Recent | undefined;
  /** The latest of another owner than that. */
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
