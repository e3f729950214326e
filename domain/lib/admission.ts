/** The terms on which work is admitted. Work that finds no room waits, or is refused. */
export interface AdmissionTerms<Kind extends string> {
  /** How much is in progress at once; absent: any amount. */
  slots?: number;
  /** How much of one holder, by the kind of holder: an account, a workspace. */
  each?: Readonly<Record<Kind, number>>;
  /** The bounds of `each` apply once this much is in progress; absent: always. */
  crowdedFrom?: number;
  /** How much of one holder waits; absent: any amount. */
  maxWaiting?: number;
  /** How long it waits at most; absent: as long as it takes. */
  timeoutMs?: number;
  /** The error of work that is refused, because a holder of a kind has its bound, or all slots are taken. */
  refuse?: (full: Kind | 'slots', bound: number) => Error;
}

/** Whose work it is, by kind of holder. It counts for each that is given. */
export type Holders<Kind extends string> = Readonly<Partial<Record<Kind, string | number | undefined>>>;

export interface Patience {
  timeoutMs?: number;
  /** Ends the wait when it is aborted. */
  signal?: AbortSignal;
  /** How long such work takes as a rule: it does not wait where it is unlikely to be admitted in time. */
  defaultMs?: number;
}

/** What one holder has. */
interface Share<Kind> {
  name: string;
  kind: Kind;
  bound: number;
  /** When each of its slots was taken, the earliest first. */
  held: Set<{ at: number }>;
  waiting: number;
}

interface Waiter<Kind> {
  shares: readonly Share<Kind>[];
  admit(): void;
}

/** A holder has as much in progress as it may. */
export class ShareExceeded extends Error {
  override readonly name = 'ShareExceeded';
  readonly code = 'share_exceeded';

  constructor() {
    super('too many requests at once');
  }
}

/**
 * Bounds how much is in progress at once, of all and of each holder. A free slot goes to the waiting work whose holders
 * have the fewest, so that a holder with much work does not make the others wait; within one holder, to the first.
 */
export class Admission<Kind extends string = never> {
  readonly #terms: AdmissionTerms<Kind>;
  readonly #slots: number;
  /** Of the holders that have slots, or wait for one. */
  readonly #shares = new Map<string, Share<Kind>>();
  readonly #queue = new Set<Waiter<Kind>>();
  #taken = 0;

  constructor(terms: AdmissionTerms<Kind>) {
    this.#terms = terms;
    this.#slots = terms.slots ?? Number.POSITIVE_INFINITY;
  }

  /** The number of holders that have slots, or wait for one. */
  get size(): number {
    return this.#shares.size;
  }

  /** Takes a slot at once. @returns a function that gives it back @throws what the terms refuse with */
  admit(holders: Holders<Kind>): () => void {
    const shares = this.#sharesOf(holders);
    if (!this.#hasRoom(shares)) throw this.#refusal(this.#fullOf(shares));
    return this.#take(shares);
  }

  /** Waits for a slot. @returns a function that gives it back @throws what the terms refuse with */
  async wait(holders: Holders<Kind>, patience: Patience = {}): Promise<() => void> {
    const shares = this.#sharesOf(holders);
    if (this.#hasRoom(shares)) return this.#take(shares);
    const { maxWaiting = Number.POSITIVE_INFINITY, timeoutMs = Number.POSITIVE_INFINITY } = this.#terms;
    const crowded = shares.find(({ waiting }) => waiting >= maxWaiting);
    if (crowded !== undefined) throw this.#refusal(crowded);
    const full = this.#fullOf(shares);
    const patient = { timeoutMs, ...patience };
    if (patience.signal?.aborted || isInVain(full, patient)) throw this.#refusal(full);
    return this.#enqueue(shares, patient);
  }

  /** Does work once there is a slot for it, at once if there is one. @throws what the terms refuse with */
  async run<Result>(holders: Holders<Kind>, work: () => Promise<Result>): Promise<Result> {
    const shares = this.#sharesOf(holders);
    const leave = this.#hasRoom(shares) ? this.#take(shares) : await this.wait(holders);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #enqueue(
    shares: readonly Share<Kind>[],
    { timeoutMs, signal }: Patience & { timeoutMs: number },
  ): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#queue.delete(waiter);
        for (const share of shares) share.waiting -= 1;
      };
      const giveUp = () => {
        leaveQueue();
        this.#forget(shares);
        reject(this.#refusal(this.#fullOf(shares)));
      };
      const admit = () => {
        leaveQueue();
        resolve(this.#take(shares));
      };
      const timer = Number.isFinite(timeoutMs) ? setTimeout(giveUp, timeoutMs) : undefined;
      signal?.addEventListener('abort', giveUp, { once: true });
      const waiter = { shares, admit };
      this.#queue.add(waiter);
      for (const share of shares) share.waiting += 1;
      this.#keep(shares);
    });
  }

  #take(shares: readonly Share<Kind>[]): () => void {
    const slot = { at: performance.now() };
    let isTaken = true;
    this.#taken += 1;
    for (const { held } of shares) held.add(slot);
    this.#keep(shares);
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken -= 1;
      for (const { held } of shares) held.delete(slot);
      this.#forget(shares);
      for (let next = this.#next(); next !== undefined; next = this.#next()) next.admit();
    };
  }

  #next(): Waiter<Kind> | undefined {
    if (this.#taken >= this.#slots) return undefined;
    let chosen: Waiter<Kind> | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const waiter of this.#queue) {
      const load = Math.max(0, ...waiter.shares.map(({ held }) => held.size));
      if (load >= fewest || this.#fullOf(waiter.shares) !== undefined) continue;
      chosen = waiter;
      fewest = load;
    }
    return chosen;
  }

  #hasRoom(shares: readonly Share<Kind>[]): boolean {
    return this.#taken < this.#slots && this.#fullOf(shares) === undefined;
  }

  #fullOf(shares: readonly Share<Kind>[]): Share<Kind> | undefined {
    if (this.#taken < (this.#terms.crowdedFrom ?? 0)) return undefined;
    return shares.find(({ held, bound }) => held.size >= bound);
  }

  /** @param full undefined: the slots of all */
  #refusal(full: Share<Kind> | undefined): Error {
    const { refuse = () => new ShareExceeded() } = this.#terms;
    return full === undefined ? refuse('slots', this.#slots) : refuse(full.kind, full.bound);
  }

  #sharesOf(holders: Holders<Kind>): Share<Kind>[] {
    const shares: Share<Kind>[] = [];
    for (const kind of Object.keys(holders) as Kind[]) {
      if (holders[kind] === undefined) continue;
      const name = `${kind} ${holders[kind]}`;
      const bound = this.#terms.each?.[kind] ?? Number.POSITIVE_INFINITY;
      shares.push(this.#shares.get(name) ?? { name, kind, bound, held: new Set(), waiting: 0 });
    }
    return shares;
  }

  #keep(shares: readonly Share<Kind>[]): void {
    for (const share of shares) this.#shares.set(share.name, share);
  }

  #forget(shares: readonly Share<Kind>[]): void {
    for (const { name, held, waiting } of shares) {
      if (held.size === 0 && waiting === 0) this.#shares.delete(name);
    }
  }
}

/** Whether work is unlikely to be admitted in time, going by how long slots of its holder are held. */
function isInVain(
  share: Share<string> | undefined,
  { timeoutMs, defaultMs }: Patience & { timeoutMs: number },
): boolean {
  if (share === undefined || defaultMs === undefined) return false;
  const [first] = share.held;
  const heldMs = Math.max(defaultMs, first === undefined ? 0 : performance.now() - first.at);
  return (share.waiting + 1) * (heldMs / share.bound) > timeoutMs;
}
