import { greetingId, type MessagesToSay } from './messages-to-say.js';
import type { SpokenItem } from './playback.js';
import type { Cut } from './ports.js';
import type { RecordingTime } from './recording-time.js';
import type { Transcript } from './transcript.js';
import { heardWords } from './words.js';
import type { Work } from './work.js';

/** What the agent speaks: a message that is stored, the greeting, or words of its own. */
interface Speech {
  text: string;
  messageId: number | undefined;
  session: number;
  responseId: string;
  /** Whether the model has made all of it. */
  isDone: boolean;
}

export interface SpokenItemsOptions {
  transcript: Transcript;
  messages: MessagesToSay;
  work: Pick<Work, 'store' | 'played'>;
  time: RecordingTime;
  now(): number;
}

/** The words of what the agent speaks, from the first that the model makes until it is stored what was heard of them. */
export class SpokenItems {
  readonly #options: SpokenItemsOptions;
  readonly #speeches = new Map<string, Speech>();

  constructor(options: SpokenItemsOptions) {
    this.#options = options;
  }

  has(itemId: string): boolean {
    return this.#speeches.has(itemId);
  }

  begin(itemId: string, speech: Pick<Speech, 'messageId' | 'session' | 'responseId'>): void {
    this.#speeches.set(itemId, { text: '', isDone: false, ...speech });
    this.#options.transcript.begin(itemId);
  }

  addWords(itemId: string, text: string, isWhole: boolean): void {
    const speech = this.#speeches.get(itemId);
    if (speech !== undefined) speech.text = isWhole ? text : speech.text + text;
  }

  /** The response that makes them has ended. */
  end(responseId: string | undefined, isDone: boolean): void {
    for (const speech of this.#speeches.values()) {
      if (speech.responseId === responseId) speech.isDone = isDone;
    }
  }

  /** What is being spoken, in its order. */
  get texts(): string[] {
    return [...this.#speeches.values()].flatMap(({ text }) => (text === '' ? [] : [text]));
  }

  /** Whether a message is being spoken. */
  isSpoken(messageId: number): boolean {
    return [...this.#speeches.values()].some((speech) => speech.messageId === messageId);
  }

  /** The session that makes an item; undefined if it is not spoken. */
  sessionOf(itemId: string): number | undefined {
    return this.#speeches.get(itemId)?.session;
  }

  /** Stores how much of an item was heard. */
  cutOff(item: SpokenItem, reason: Cut['reason']): void {
    const speech = this.#take(item);
    if (speech === undefined) return;
    const { messages, transcript, now } = this.#options;
    const playedMs = Math.floor(item.playedMs);
    const words = heardWords(speech.text, playedMs, item.madeMs);
    const { messageId } = speech;
    if (messageId === greetingId && words !== '') messages.settle(messageId);
    else if (messageId !== undefined) {
      this.#cutOffMessage(messageId, item, words, reason);
      return;
    }
    if (words === '') transcript.forget(item.itemId, now());
    else this.#store(item, words, { whole: speech.text.trim(), reason, atMs: playedMs });
  }

  /** A message of which nothing was heard is said again; another one counts as said. */
  #cutOffMessage(messageId: number, item: SpokenItem, words: string, reason: Cut['reason']): void {
    const { messages, transcript, work, now } = this.#options;
    transcript.forget(item.itemId, now());
    if (words === '') {
      messages.sayAgain(messageId);
      return;
    }
    const cut = { whole: messages.textOf(messageId), reason, atMs: Math.floor(item.playedMs) };
    work.played(messageId, { text: words, cut, ...this.#spanOf(item) });
  }

  /** All of an item was played. */
  played(item: SpokenItem): void {
    const speech = this.#take(item);
    if (speech === undefined) return;
    const { messages, transcript, work, now } = this.#options;
    const text = speech.text.trim();
    const { messageId, isDone } = speech;
    const isGreeting = messageId === greetingId && isDone;
    if (isGreeting) messages.settle(greetingId);
    if (messageId !== undefined && !isGreeting) {
      transcript.forget(item.itemId, now());
      // A session that was lost in the middle of a message has said a part of it.
      if (isDone) work.played(messageId, { text, ...this.#spanOf(item) });
      else messages.sayAgain(messageId);
    } else if (text === '') transcript.forget(item.itemId, now());
    else this.#store(item, text);
  }

  #take({ itemId }: SpokenItem): Speech | undefined {
    const speech = this.#speeches.get(itemId);
    this.#speeches.delete(itemId);
    return speech;
  }

  #store(item: SpokenItem, text: string, cut?: Cut): void {
    const { transcript, work, now } = this.#options;
    const { itemId } = item;
    const said = { itemId, by: 'agent' as const, text, ...(cut && { cut }), ...this.#spanOf(item) };
    transcript.settle(itemId, () => work.store(said), now());
  }

  #spanOf({ startedAt, playedMs }: SpokenItem) {
    const start = startedAt ?? this.#options.now();
    return this.#options.time.spanOfClock(start, start + playedMs);
  }
}
