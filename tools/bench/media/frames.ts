/** Of 20 ms: 160 bytes of µ-law in base64, which begin with the number of the call and that of the frame. */
const callDigits = 3;
const frameDigits = 6;
const quiet = `${'/'.repeat(212 - callDigits - frameDigits)}/w==`;

export const frameMs = 20;
/** Calls of a load, and frames before their numbers begin anew. */
export const maxCalls = 10 ** callDigits;
const maxFrames = 10 ** frameDigits;

export function frame(call: number, number: number): string {
  const digits = String(number % maxFrames).padStart(frameDigits, '0');
  return `${String(call).padStart(callDigits, '0')}${digits}${quiet}`;
}

/** The names under which carriers and models send sound. */
const names = ['"payload":"', '"delta":"', '"audio":"'];

/** @returns the number of the call, and that of the frame, if the message is one */
export function readFrame(message: string): { call: number; number: number } | undefined {
  for (const name of names) {
    const at = message.indexOf(name);
    if (at < 0) continue;
    const from = at + name.length;
    const call = Number(message.slice(from, from + callDigits));
    const number = Number(message.slice(from + callDigits, from + callDigits + frameDigits));
    if (!Number.isNaN(call) && !Number.isNaN(number)) return { call, number };
  }
  return undefined;
}

/** When the frames of one direction of a call were sent, for those that are under way. */
export class UnderWay {
  static readonly #most = 4_096;
  readonly #sentAt = new Float64Array(UnderWay.#most);
  sent = 0;
  arrived = 0;

  /** @returns the number of the frame that is sent now */
  send(): number {
    const number = this.sent;
    this.#sentAt[number % UnderWay.#most] = performance.now();
    this.sent += 1;
    return number;
  }

  /** @returns the milliseconds that it was under way */
  arrive(number: number): number {
    this.arrived += 1;
    return performance.now() - (this.#sentAt[number % UnderWay.#most] ?? Number.NaN);
  }
}
