import type { Knobs } from './knobs.js';

/** The queue of each number: the carrier sends so many segments in a second, and queues what is left up to a time. */
export class Lines {
  readonly #freeAt = new Map<string, number>();

  /** Queues a message of a number. @returns how long it waits, and the code with which it is refused if that is too long */
  join(knobs: Knobs, { from, body }: { from: string; body: string }): { waitMs: number; refused?: number } {
    const { line } = knobs.of(from);
    if (line === null) return { waitMs: 0 };
    const now = Date.now();
    const startsAt = Math.max(this.#freeAt.get(from) ?? 0, now);
    const waitMs = startsAt - now;
    if (waitMs > line.queueSeconds * 1_000) return { waitMs, refused: line.code ?? 21611 };
    this.#freeAt.set(from, startsAt + (segmentsOf(body) / line.segmentsPerSecond) * 1_000);
    return { waitMs };
  }
}

/** Told apart by the simplest alphabet alone: the simulator is to be no kinder than the carrier. */
function segmentsOf(body: string): number {
  const isPlain = /^[\n\r -Z_a-z]*$/.test(body);
  const [alone, together] = isPlain ? [160, 153] : [70, 67];
  return body.length <= alone ? 1 : Math.ceil(body.length / together);
}
