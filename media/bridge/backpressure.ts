import type { RealtimeSession } from '../../providers/realtime/realtime.js';
import type { CarrierStream } from './ports.js';

interface DrainTimer {
  now(): number;
  set(name: 'drain', ms: number, run: () => void): void;
  isSet(name: 'drain'): boolean;
  clear(name: 'drain'): void;
}

/** Bytes that wait for one side before the other one is not read any more, and below which it is again. */
const waiting = { high: 256 * 1_024, low: 64 * 1_024 };
const checkEveryMs = 20;
/** A model that takes nothing for so long is replaced. */
const stalledMs = 10_000;

/** One side is not read while the other one does not take what is sent. */
export class Backpressure {
  readonly #timer: DrainTimer;
  readonly #stream: Pick<CarrierStream, 'bufferedBytes' | 'pause' | 'resume'>;
  readonly #stalled: () => void;
  #session: Pick<RealtimeSession, 'bufferedBytes' | 'pause' | 'resume'> | undefined;
  #since = 0;

  /** @param stalled the session takes nothing, and has to be replaced */
  constructor(
    timer: DrainTimer,
    stream: Pick<CarrierStream, 'bufferedBytes' | 'pause' | 'resume'>,
    stalled: () => void,
  ) {
    this.#timer = timer;
    this.#stream = stream;
    this.#stalled = stalled;
  }

  connect(session: Pick<RealtimeSession, 'bufferedBytes' | 'pause' | 'resume'>): void {
    this.#session = session;
  }

  disconnect(): void {
    this.#session = undefined;
    this.#timer.clear('drain');
    this.#stream.resume();
  }

  /** Something was passed on to the model. */
  afterHearing(): void {
    if (this.#session === undefined || this.#session.bufferedBytes <= waiting.high) return;
    this.#stream.pause();
    this.#drain();
  }

  /** Something was passed on to the carrier. */
  afterSpeaking(): void {
    if (this.#stream.bufferedBytes <= waiting.high) return;
    this.#session?.pause();
    this.#drain();
  }

  #drain(): void {
    if (this.#timer.isSet('drain')) return;
    this.#since = this.#timer.now();
    this.#checkLater();
  }

  #checkLater(): void {
    this.#timer.set('drain', checkEveryMs, () => this.#look());
  }

  #look(): void {
    const toModel = this.#session?.bufferedBytes ?? 0;
    if (toModel <= waiting.low && this.#stream.bufferedBytes <= waiting.low) {
      this.#stream.resume();
      this.#session?.resume();
    } else if (toModel > waiting.low && this.#timer.now() - this.#since > stalledMs) this.#stalled();
    else this.#checkLater();
  }
}
