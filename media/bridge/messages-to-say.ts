import type { ToSay } from './ports.js';

/** Stands for the greeting, which is spoken like a message and is none: ids of messages begin with 1. */
export const greetingId = 0;

/** Stored messages that are spoken word by word, each once. */
export class MessagesToSay {
  readonly #texts = new Map<number, string>();
  readonly #saying = new Set<number>();
  #waiting: ToSay[] = [];

  /** Whether one is being spoken, or it is being stored that it was. */
  get isSaying(): boolean {
    return this.#saying.size > 0;
  }

  /** Whether none is spoken or waits. */
  get isEmpty(): boolean {
    return !this.isSaying && this.#waiting.length === 0;
  }

  /** Those that are known already are left out: they may be on their way. */
  add(messages: readonly ToSay[]): void {
    for (const message of messages) {
      if (this.#texts.has(message.messageId)) continue;
      this.#texts.set(message.messageId, message.text);
      this.#waiting.push(message);
    }
  }

  /** Takes the next one, which is being said from now on. */
  take(): ToSay | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#saying.add(next.messageId);
    return next;
  }

  textOf(messageId: number): string {
    return this.#texts.get(messageId) ?? '';
  }

  /** Nothing, or only a part, was heard of it. */
  sayAgain(messageId: number): void {
    this.#saying.delete(messageId);
    if (this.#waiting.some((one) => one.messageId === messageId)) return;
    this.#waiting.unshift({ messageId, text: this.textOf(messageId) });
  }

  /** It is stored that it was played. */
  settle(messageId: number): void {
    this.#saying.delete(messageId);
  }
}
