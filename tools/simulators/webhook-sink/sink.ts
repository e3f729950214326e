import { Hook, type ReceivedWebhook } from './hook.js';

/** The maximum number of receivers; beyond it, the oldest is removed. */
const hooksKept = 1_000;

/** All receivers by name. A receiver is created by the first request that names it. */
export class Sink {
  readonly #hooks = new Map<string, Hook>();
  #sequence = 0;

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

  /** The webhooks after a sequence number, to one receiver or all, in order. */
  after(sequence: number, name: string | null): ReceivedWebhook[] {
    const hooks = name === null ? [...this.#hooks.values()] : [this.hook(name)];
    return hooks.flatMap((hook) => hook.after(sequence)).sort((a, b) => a.sequence - b.sequence);
  }

  overview(): ReturnType<Hook['overview']>[] {
    return [...this.#hooks.values()].map((hook) => hook.overview());
  }

  /** Deletes the webhooks of one receiver or all. */
  forget(name: string | null): void {
    for (const hook of name === null ? this.#hooks.values() : [this.hook(name)]) hook.forget();
  }

  #forgetFirst(): void {
    const [first] = this.#hooks.keys();
    if (first !== undefined) this.#hooks.delete(first);
  }
}
