import { bytesPerMs, isLoud, understand } from '../../support/spoken.js';

const frameBytes = 20 * bytesPerMs;

export interface Detection {
  prefixPaddingMs: number;
  silenceMs: number;
}

export type Heard =
  | { kind: 'started'; atMs: number }
  /** @property text what was said, to be written down */
  | { kind: 'stopped'; atMs: number; text: string; soundMs: number };

/** Detects speech by its loudness, counting the sound that was appended to the session. */
export class Hearing {
  #pending: Buffer = Buffer.alloc(0);
  #frames = 0;
  #speech: Buffer[] | undefined;
  #quietMs = 0;
  #loudMs = 0;

  get heardMs(): number {
    return this.#frames * 20;
  }

  /** @returns what has begun and ended in this piece of sound */
  hear(sound: Buffer, { prefixPaddingMs, silenceMs }: Detection): Heard[] {
    const heard: Heard[] = [];
    let rest = this.#pending.length === 0 ? sound : Buffer.concat([this.#pending, sound]);
    for (; rest.length >= frameBytes; rest = rest.subarray(frameBytes)) {
      const frame = rest.subarray(0, frameBytes);
      this.#frames += 1;
      const loud = isLoud(frame);
      if (this.#speech === undefined) {
        if (!loud) continue;
        this.#speech = [];
        this.#loudMs = 0;
        this.#quietMs = 0;
        heard.push({ kind: 'started', atMs: Math.max(0, this.heardMs - 20 - prefixPaddingMs) });
      }
      this.#speech.push(Buffer.from(frame));
      if (loud) this.#loudMs += 20;
      this.#quietMs = loud ? 0 : this.#quietMs + 20;
      if (this.#quietMs < silenceMs) continue;
      const text = understand(Buffer.concat(this.#speech));
      heard.push({ kind: 'stopped', atMs: this.heardMs, text, soundMs: this.#loudMs + this.#quietMs });
      this.#speech = undefined;
    }
    this.#pending = Buffer.from(rest);
    return heard;
  }
}
