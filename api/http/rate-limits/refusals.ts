import { LRUCache } from 'lru-cache';
import { Quota, refuseBeyond } from './quota.js';

/** What a caller presents: a credential, or a signature. */
export interface Presented {
  /** Its refusals are counted by this name; it is known by it, too, when it was good, unless it has a digest. */
  name: string;
  address: string;
  /** Of a credential. */
  digest?: string;
}

interface RefusalOptions {
  /** Refusals of a name in a window. */
  limit: number;
  /** Refusals of an address in all, beside those of each name; 0: any number. */
  ofAddress?: number;
  /** How long what was good passes. */
  goodForMs?: number;
  /** What the refused are told. */
  message: string;
}

const hourMs = 3_600_000;

/**
 * Counts what is refused, so that those who guess are refused before anything is looked up. What was lately good passes,
 * whatever else comes from its address. A credential is remembered by its digest only.
 */
export class Refusals {
  readonly #message: string;
  readonly #ofName: Quota;
  readonly #ofAddress: Quota;
  readonly #good: LRUCache<string, true>;

  constructor({ limit, ofAddress = 0, goodForMs = hourMs, message }: RefusalOptions) {
    this.#message = message;
    this.#ofName = new Quota('refusals', limit);
    this.#ofAddress = new Quota('refusals', ofAddress);
    this.#good = new LRUCache({ max: 20_000, ttl: goodForMs });
  }

  /** @returns whether it was lately good @throws TooManyRequests when too much like it was refused */
  async check(presented: Presented): Promise<boolean> {
    if (this.#good.has(knownBy(presented))) return true;
    refuseBeyond(await this.#ofName.peek(presented.name), this.#message);
    refuseBeyond(await this.#ofAddress.peek(presented.address), this.#message);
    return false;
  }

  async recordRefused(presented: Presented): Promise<void> {
    // An address may have both right and wrong ones.
    if (presented.digest !== undefined) this.#good.delete(presented.digest);
    await this.#ofName.consume(presented.name);
    await this.#ofAddress.consume(presented.address);
  }

  recordGood(presented: Presented): void {
    this.#good.set(knownBy(presented), true);
  }
}

function knownBy({ name, digest = name }: Presented): string {
  return digest;
}
