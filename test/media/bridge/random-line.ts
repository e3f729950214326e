import { soundMs } from '../../../media/sound/sound-ms.js';
import type { FakeClock } from './fake-clock.js';

/** Sound of an item of the model, told by its bytes. */
export function soundOf(item: number, ms: number): string {
  return Buffer.alloc(ms * 8, item % 256).toString('base64');
}

type Sent = { item: number; leftMs: number } | { mark: string };

/** A carrier at some distance, which plays what it is sent at the pace of the clock, and knows what was heard. */
export class RandomLine {
  bufferedBytes = 0;
  /** How often it was cleared: what was on its way meanwhile is heard, and is said again after a false interruption. */
  clears = 0;
  readonly #clock: FakeClock;
  readonly #latencyMs: number;
  readonly #marked: (name: string) => void;
  readonly #heardMs = new Map<number, number>();
  #sent: Sent[] = [];
  #isPlaying = false;

  constructor(clock: FakeClock, latencyMs: number, marked: (name: string) => void) {
    this.#clock = clock;
    this.#latencyMs = latencyMs;
    this.#marked = marked;
  }

  heardMs(item: number): number {
    return this.#heardMs.get(item % 256) ?? 0;
  }

  sendAudio(payload: string): void {
    const [item = 0] = Buffer.from(payload.slice(0, 4), 'base64');
    this.#later(() => this.#take({ item, leftMs: soundMs(payload) }));
  }

  sendMark(mark: string): void {
    this.#later(() => this.#take({ mark }));
  }

  clear(): void {
    this.clears += 1;
    this.#later(() => {
      for (const sent of this.#sent.splice(0)) if ('mark' in sent) this.#later(() => this.#marked(sent.mark));
    });
  }

  pause(): void {}
  resume(): void {}

  #later(run: () => void): void {
    this.#clock.after(this.#latencyMs, run);
  }

  #take(sent: Sent): void {
    this.#sent.push(sent);
    this.#play();
  }

  /** In steps of ten milliseconds. */
  #play(): void {
    const [next] = this.#sent;
    if (next === undefined || this.#isPlaying) return;
    if ('mark' in next) {
      this.#sent.shift();
      this.#later(() => this.#marked(next.mark));
      this.#play();
      return;
    }
    const stepMs = Math.min(10, next.leftMs);
    this.#isPlaying = true;
    this.#clock.after(stepMs, () => {
      this.#isPlaying = false;
      if (this.#sent[0] === next) {
        next.leftMs -= stepMs;
        this.#heardMs.set(next.item, (this.#heardMs.get(next.item) ?? 0) + stepMs);
        if (next.leftMs <= 0) this.#sent.shift();
      }
      this.#play();
    });
  }
}
