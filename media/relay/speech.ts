import { heardPart, msPerCharacter } from './heard-part.js';
import { PlainWords } from './plain-words.js';
import type { Interruption, RelayLine } from './ports.js';

/** What the agent says: words of its own, or a stored message. */
export interface Utterance {
  itemId: string;
  messageId: number | undefined;
  text: string;
  /** Whether all of it was sent. */
  isWhole: boolean;
  sentAt: number;
  startedAt: number | undefined;
}

export interface InterruptedUtterances {
  heard: Utterance[];
  /** Heard in part. */
  cut: { utterance: Utterance; length: number; afterMs: number } | undefined;
  unheard: Utterance[];
}

export type SpeechTimer = 'spoken' | 'quiet';

interface SpeechTimers {
  now(): number;
  set(name: SpeechTimer, ms: number, run: () => void): void;
  clear(name: SpeechTimer): void;
}

export interface SpeechOptions {
  line: Pick<RelayLine, 'say'>;
  timers: SpeechTimers;
  /** All of these was heard. */
  heard(utterances: readonly Utterance[]): void;
}

/** Milliseconds. */
const times = {
  /** What was just sent begins to be heard within this. */
  beginning: 1_200,
  /** A pause of this length is the end. */
  pause: 300,
  /** After the time that speaking takes at most. */
  late: 10_000,
  /** After the time that speaking takes, where the carrier does not tell. */
  grace: 1_000,
};
const slowest = 3;
const maxOfPiece = 500;

/**
 * What was sent to be spoken and was not heard yet. The carrier tells when it begins and ends to speak; where it does not, or that is
 * lost, the length of the words decides.
 */
export class Speech {
  readonly #line: SpeechOptions['line'];
  readonly #timers: SpeechTimers;
  readonly #heard: SpeechOptions['heard'];
  #open: Utterance[] = [];
  readonly #plain = new PlainWords();
  #tells = false;
  #isOn = false;
  /** Whether something was sent since the carrier has told that it speaks no more. */
  #isAwaited = false;
  /** When all of it is spoken, as far as that can be told by its length. */
  #until = 0;

  constructor({ line, timers, heard }: SpeechOptions) {
    this.#line = line;
    this.#timers = timers;
    this.#heard = heard;
  }

  get isBusy(): boolean {
    return this.#open.length > 0;
  }

  /** What was sent and not heard yet, in its order. */
  get texts(): string[] {
    return this.#open.map(({ text }) => text);
  }

  begin(itemId: string, messageId?: number): void {
    this.finish();
    const sentAt = this.#timers.now();
    this.#open.push({ itemId, messageId, text: '', isWhole: false, sentAt, startedAt: undefined });
  }

  /** Says a piece of it, without Markdown. */
  add(text: string): void {
    const current = this.#open.at(-1);
    if (current !== undefined && !current.isWhole) this.#say(current, this.#plain.add(text));
  }

  #say(current: Utterance, text: string): void {
    if (text === '') return;
    current.text += text;
    this.#isAwaited = true;
    const now = this.#timers.now();
    this.#until = Math.max(now, this.#until) + text.length * msPerCharacter;
    for (const piece of text.match(pieces) ?? []) this.#line.say(piece, false);
    this.#watch();
  }

  /** Ends the utterance that was begun. */
  finish(): void {
    const current = this.#open.at(-1);
    if (current === undefined || current.isWhole) return;
    this.#say(current, this.#plain.end());
    current.isWhole = true;
    this.#line.say('', true);
    this.#watch();
    if (this.#tells && !this.#isOn && !this.#isAwaited) this.#endSoon();
  }

  /** The carrier begins, or ends, to speak. */
  speaking(isOn: boolean): void {
    this.#tells = true;
    this.#isOn = isOn;
    if (isOn) {
      this.#timers.clear('quiet');
      const next = this.#open.find(({ startedAt }) => startedAt === undefined);
      if (next !== undefined) next.startedAt = this.#timers.now();
      this.#watch();
    } else {
      this.#isAwaited = false;
      this.#endSoon();
    }
  }

  /** What was sent entirely counts as heard, because the caller answers. */
  answered(): void {
    if (!this.#isOn) this.#settle();
  }

  /** The carrier has dropped what was not heard yet. @returns undefined if nothing was sent */
  interrupt({ heard, afterMs }: Interruption): InterruptedUtterances | undefined {
    this.#isOn = false;
    if (this.#open.length === 0) return undefined;
    // Pieces that were on their way end here, so that what follows does not begin with them.
    this.#plain.forget();
    this.finish();
    const ms = afterMs ?? this.#playedMs();
    return this.#dropAt(heardPart(this.texts, heard, ms), ms);
  }

  /** The call ends: what was heard of the rest follows from the time. */
  drop(): InterruptedUtterances | undefined {
    if (this.#open.length === 0) return undefined;
    const ms = this.#playedMs();
    return this.#dropAt(heardPart(this.texts, '', ms), ms);
  }

  #playedMs(): number {
    const startedAt = this.#open[0]?.startedAt ?? (this.#tells ? undefined : this.#open[0]?.sentAt);
    return startedAt === undefined ? 0 : this.#timers.now() - startedAt;
  }

  #dropAt({ index, length }: { index: number; length: number }, ms: number): InterruptedUtterances {
    const open = this.#open.splice(0);
    this.#timers.clear('spoken');
    this.#timers.clear('quiet');
    this.#isAwaited = false;
    this.#until = 0;
    const utterance = open[index];
    const isCut = utterance !== undefined && length > 0;
    const before = open.slice(0, index).reduce((sum, { text }) => sum + text.length * msPerCharacter, 0);
    return {
      heard: open.slice(0, index),
      cut: isCut ? { utterance, length, afterMs: Math.max(0, ms > before ? ms - before : ms) } : undefined,
      unheard: open.slice(isCut ? index + 1 : index),
    };
  }

  /** What was just sent may not be heard yet, and what ended may have been said before. */
  #endSoon(): void {
    const age = this.#timers.now() - (this.#open.at(-1)?.sentAt ?? 0);
    this.#timers.set('quiet', Math.max(times.pause, times.beginning - age), () => this.#settle());
  }

  #watch(): void {
    const left = Math.max(0, this.#until - this.#timers.now());
    const ms = this.#tells ? left * slowest + times.late : left + times.grace;
    this.#timers.set('spoken', ms, () => {
      this.#isOn = false;
      this.#settle();
    });
  }

  #settle(): void {
    const heard = this.#open.filter(({ isWhole }) => isWhole);
    this.#open = this.#open.filter(({ isWhole }) => !isWhole);
    if (this.#open.length === 0) this.#timers.clear('spoken');
    this.#heard(heard);
  }
}

const pieces = new RegExp(`[\\s\\S]{1,${maxOfPiece}}`, 'gu');
