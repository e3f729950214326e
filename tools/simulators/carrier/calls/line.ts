import { setImmediate } from 'node:timers/promises';
import { frameBytes, frameMs, silence } from './mulaw.js';
import { Playback } from './playback.js';

const quiet = silence(frameBytes);

/** The call is over: what waits for something in it ends. */
export class LineDead extends Error {}

interface Waiting {
  isMet: () => boolean;
  resolve: () => void;
  reject: (error: Error) => void;
}

/**
 * The clock and the microphone of a call that was answered. It gives a frame every 20 ms, or faster by `speed`; after
 * a stall of the process it gives those that are due at once, as a network does.
 */
export class Line {
  readonly #onFrame: (said: Buffer) => void;
  readonly #speed: number;
  readonly #waiting = new Set<Waiting>();
  readonly #mouth = new Playback();
  #frames = 0;
  #begin = 0;
  #timer: NodeJS.Timeout | undefined;
  #isDead = false;
  #isAdvancing = false;

  constructor(speed: number, onFrame: (said: Buffer) => void) {
    this.#speed = speed;
    this.#onFrame = onFrame;
  }

  /** Milliseconds since the call was answered, by the call's own clock. */
  get ms(): number {
    return this.#frames * frameMs;
  }

  start(): void {
    this.#begin = performance.now();
    this.#timer = setInterval(() => this.#advance(), Math.max(1, Math.min(frameMs, frameMs / this.#speed)));
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#isDead = true;
    for (const { reject } of this.#waiting) reject(new LineDead());
    this.#waiting.clear();
  }

  /** Resolves when all of it was said. */
  speak(bytes: Buffer): Promise<void> {
    this.#mouth.add(bytes);
    const frames = this.#frames + Math.ceil(this.#mouth.bytes / frameBytes);
    return this.until(() => this.#frames >= frames);
  }

  after(ms: number): Promise<void> {
    const end = this.ms + ms;
    return this.until(() => this.ms >= end);
  }

  /** Resolves once the condition is met, which is asked after each frame. @throws LineDead */
  until(isMet: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isDead) reject(new LineDead());
      else if (isMet()) resolve();
      else this.#waiting.add({ isMet, resolve, reject });
    });
  }

  /** Frames that are due. What waited for one of them goes on before the next. */
  async #advance(): Promise<void> {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    while (this.#frames < this.#due() && !this.#isDead) {
      this.#frames += 1;
      this.#onFrame(this.#nextFrame());
      const met = [...this.#waiting].filter(({ isMet }) => isMet());
      for (const waiting of met) {
        this.#waiting.delete(waiting);
        waiting.resolve();
      }
      if (met.length > 0) await setImmediate();
    }
    this.#isAdvancing = false;
  }

  #due(): number {
    return Math.floor(((performance.now() - this.#begin) * this.#speed) / frameMs);
  }

  #nextFrame(): Buffer {
    const { audio } = this.#mouth.play(frameBytes);
    if (audio.length === frameBytes) return audio;
    if (audio.length === 0) return quiet;
    return Buffer.concat([audio, silence(frameBytes - audio.length)]);
  }
}
