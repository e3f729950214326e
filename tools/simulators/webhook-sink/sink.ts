import { Hook, type ReceivedWebhook } from './hook.js';

/** How many receivers are kept: beyond, the one that was first is forgotten. */
const hooksKept = 1_000;

/** All receivers, each by its name: whoever is posted to, or told something, exists. */
export class Sink {
  readonly #hooks = new Map<string, Hook>();
  #sequence = 0;

  /** The receiver of a name. */
  hook(name: string): Hook {
    const known = this.#hooks.get(name);
    if (known !== undefined) return known;
    const hook = new Hook(name);
    this.#hooks.set(name, hook);
    if (this.#hooks.size > hooksKept) this.#forgetFirst();
    return hook;
  }

  nextSequence(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** What came after a sequence number, to one receiver or all, in its order. */
  after(sequence: number, name: string | null): ReceivedWebhook[] {
    const hooks = name === null ? [...this.#hooks.values()] : [this.hook(name)];
    return hooks.flatMap((hook) => hook.after(sequence)).sort((a, b) => a.sequence - b.sequence);
  }

  overview(): ReturnType<Hook['overview']>[] {
    return [...this.#hooks.values()].map((hook) => hook.overview());
  }

  /** Forgets what came to a receiver, or to all. */
  forget(name: string | null): void {
    for (const hook of name === null ? this.#hooks.values() : [this.hook(name)]) hook.forget();
  }

  #forgetFirst(): void {
    const [first] = this.#hooks.keys();
    if (first !== undefined) this.#hooks.delete(first);
  }
}
