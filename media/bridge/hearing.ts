import type { CallerAudio } from './caller-audio.js';
import type { RecordingTime } from './recording-time.js';
import type { Transcript } from './transcript.js';
import { isListening } from './words.js';
import type { Work } from './work.js';

/** Milliseconds. */
const times = {
  /** Speech of this length is no cough. */
  surelySpeech: 1_500,
  /** How long short speech waits for its transcript, before it counts as an interruption. */
  decide: 1_200,
  /** Speech that does not end is a noise in the background, or its end was not reported: it is not waited for. */
  maxSpeech: 60_000,
};

/** Speech of the caller that may be an interruption, while the agent's sound is held. */
interface Interruption {
  itemId: string;
  isCommitted: boolean;
}

export type HearingTimer = 'speech' | 'decide' | 'transcript';

interface HearingTimers {
  now(): number;
  set(name: HearingTimer, ms: number, run: () => void): void;
  clear(name: HearingTimer): void;
}

export interface HearingListener {
  /** Whether the agent is heard, or will be. */
  readonly isSpeaking: boolean;
  /** A goodbye is said to its end. */
  readonly isEnding: boolean;
  /** The caller speaks: the sound stops, and what was not played is kept. */
  hold(): void;
  /** It was an interruption. @param isItem whether what was said is an item of the session already */
  interrupted(isItem: boolean): void;
  /** It was none. @param itemId of the session, to be deleted; undefined if there is none */
  notInterrupted(itemId: string | undefined): void;
  /** Something was said that is to be answered. */
  said(itemId: string): void;
  /** The caller is not waited for any more, although no end of what it says was reported. */
  spokeTooLong(): void;
  /** What was said was a mere noise. */
  wasNoise(itemId: string): void;
}

export interface HearingOptions {
  timers: HearingTimers;
  audio: CallerAudio;
  transcript: Transcript;
  time: RecordingTime;
  store: Work['store'];
  listener: HearingListener;
}

/** What the caller says: when, in which words, and whether it interrupts the agent. */
export class Hearing {
  readonly #options: HearingOptions;
  #speaking: { itemId: string; startMs: number } | undefined;
  readonly #heardAt = new Map<string, { startMs: number; endMs: number }>();
  readonly #untranscribed = new Set<string>();
  #interruption: Interruption | undefined;

  constructor(options: HearingOptions) {
    this.#options = options;
  }

  /** Whether the caller speaks, or has spoken and it is not decided yet whether that interrupts. */
  get isActive(): boolean {
    return this.#speaking !== undefined || this.#interruption !== undefined;
  }

  /** Whether the words of what was said are still to come. */
  get awaitsWords(): boolean {
    return this.#options.transcript.isAwaiting(this.#untranscribed);
  }

  /** The sound stops at once; whether it was an interruption is decided by what is said. */
  started(itemId: string, atMs: number): void {
    const { audio, listener, timers } = this.#options;
    this.#speaking = { itemId, startMs: audio.streamTime(atMs) };
    timers.set('speech', times.maxSpeech, () => this.#stopWaiting());
    if (listener.isEnding) return;
    if (this.#interruption !== undefined) {
      this.#decide(this.#interruption.isCommitted);
      return;
    }
    if (!listener.isSpeaking) return;
    listener.hold();
    this.#interruption = { itemId, isCommitted: false };
    timers.set('decide', times.surelySpeech, () => this.#decide(false));
  }

  #stopWaiting(): void {
    this.#speaking = undefined;
    this.#options.listener.spokeTooLong();
  }

  stopped(itemId: string, atMs: number): void {
    const { audio, timers } = this.#options;
    const startMs = this.#speaking?.itemId === itemId ? this.#speaking.startMs : undefined;
    this.#speaking = undefined;
    timers.clear('speech');
    const endMs = audio.streamTime(atMs);
    this.#heardAt.set(itemId, { startMs: startMs ?? endMs, endMs });
    if (this.#interruption?.itemId === itemId) timers.set('decide', times.decide, () => this.#decide(true));
  }

  /** What was said is an item of the session. */
  committed(itemId: string): void {
    const { transcript, timers, listener } = this.#options;
    this.#untranscribed.add(itemId);
    transcript.beginHeard(itemId, timers.now());
    this.#flushLater();
    if (this.#interruption?.itemId === itemId) this.#interruption.isCommitted = true;
    else listener.said(itemId);
  }

  /** @param isOver only the words are of interest */
  transcribed(itemId: string, text: string, isOver: boolean): void {
    const { transcript, timers, time, store, listener } = this.#options;
    this.#untranscribed.delete(itemId);
    const at = this.#heardAt.get(itemId);
    this.#heardAt.delete(itemId);
    if (text === '') transcript.forget(itemId, timers.now());
    else {
      const now = time.inStream(timers.now());
      const { startMs, endMs } = at ?? { startMs: now, endMs: now };
      const said = { itemId, by: 'caller' as const, text, ...time.span(startMs, endMs) };
      transcript.settle(itemId, () => store(said), timers.now());
    }
    if (isOver) return;
    this.#flushLater();
    if (text === '') listener.wasNoise(itemId);
    if (this.#interruption?.itemId !== itemId) return;
    if (!isListening(text)) this.#decide(true);
    else {
      const { isCommitted } = this.#interruption;
      this.forget();
      listener.notInterrupted(isCommitted ? itemId : undefined);
    }
  }

  #decide(isItem: boolean): void {
    this.forget();
    this.#options.listener.interrupted(isItem);
  }

  /** What was undecided is decided otherwise. */
  forget(): void {
    this.#interruption = undefined;
    this.#options.timers.clear('decide');
  }

  /** The session is lost that has heard it. */
  disconnect(): void {
    this.#speaking = undefined;
    this.#options.timers.clear('speech');
    this.forget();
  }

  /** Words that take too long keep nothing back. */
  #flushLater(): void {
    const { transcript, timers } = this.#options;
    const until = transcript.flush(timers.now());
    if (until === undefined) timers.clear('transcript');
    else timers.set('transcript', until - timers.now(), () => this.#flushLater());
  }
}
