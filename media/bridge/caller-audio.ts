import type { RealtimeSession } from '../../providers/realtime/realtime.js';
import { soundMs } from '../sound/sound-ms.js';

/** Sound that is kept while there is no session: half a minute. */
const maxKeptMs = 30_000;
/** Beyond it, the carrier's times and the sound that came have gone apart. */
const maxDriftMs = 100;
const maxAnchors = 1_000;

/**
 * The caller's sound on its way to the model. A session counts the sound that it was given; the anchors turn this into the time of the
 * stream, whatever was dropped, missing or sent late.
 */
export class CallerAudio {
  #kept: { payload: string; at: number; ms: number }[] = [];
  #keptMs = 0;
  #session: Pick<RealtimeSession, 'appendAudio'> | undefined;
  #appendedMs = 0;
  #anchors: { appendedMs: number; at: number }[] = [];

  hear(payload: string, at: number): void {
    if (this.#session !== undefined) {
      this.#append(payload, at, soundMs(payload));
      return;
    }
    const ms = soundMs(payload);
    this.#kept.push({ payload, at, ms });
    this.#keptMs += ms;
    while (this.#keptMs > maxKeptMs) this.#keptMs -= this.#kept.shift()?.ms ?? 0;
  }

  /** Gives a new session what was kept. */
  connect(session: Pick<RealtimeSession, 'appendAudio'>): void {
    this.#session = session;
    this.#appendedMs = 0;
    this.#anchors = [];
    for (const { payload, at, ms } of this.#kept.splice(0)) this.#append(payload, at, ms);
    this.#keptMs = 0;
  }

  disconnect(): void {
    this.#session = undefined;
  }

  #append(payload: string, at: number, ms: number): void {
    const last = this.#anchors.at(-1);
    const expected = last === undefined ? Number.NaN : last.at + this.#appendedMs - last.appendedMs;
    if (!(Math.abs(at - expected) <= maxDriftMs)) {
      this.#anchors.push({ appendedMs: this.#appendedMs, at });
      if (this.#anchors.length > maxAnchors) this.#anchors.shift();
    }
    this.#appendedMs += ms;
    this.#session?.appendAudio(payload);
  }

  /** The time of the stream at which the session has heard something. */
  streamTime(sessionMs: number): number {
    const anchor = this.#anchors.findLast(({ appendedMs }) => appendedMs <= sessionMs) ?? this.#anchors[0];
    return anchor === undefined ? sessionMs : Math.max(0, anchor.at + sessionMs - anchor.appendedMs);
  }
}
