import { createHash } from 'node:crypto';

const mostKept = 20_000;
const keptMs = 3_600_000;

/** Remembers recently accepted secrets (credentials, sender addresses) by their hashes only. */
export class LatelyGood {
  /** When each hash was last accepted; the oldest first. */
  readonly #seen = new Map<string, number>();

  has(secret: string): boolean {
    const seenAt = this.#seen.get(nameOf(secret));
    return seenAt !== undefined && Date.now() - seenAt < keptMs;
  }

  add(secret: string): void {
    const name = nameOf(secret);
    this.#seen.delete(name);
    this.#seen.set(name, Date.now());
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > mostKept && oldest !== undefined) this.#seen.delete(oldest);
  }

  remove(secret: string): void {
    this.#seen.delete(nameOf(secret));
  }
}

function nameOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
