import { EventEmitter, once } from 'node:events';
import type { CarrierStream, CarrierStreamEvents } from '../../../media/bridge/ports.js';
import { silence, speak, understand } from '../../../tools/simulators/support/spoken.js';

const frameBytes = 160;

/** A carrier's stream in memory, and the person at its end: plays what it gets at once, or as a test lets it. */
export class Handset implements CarrierStream {
  readonly streamId = 'MZ1';
  readonly carrierCallId = 'CA1';
  bufferedBytes = 0;
  isClosed = false;
  clears = 0;
  /** What was heard. */
  readonly #heard: Buffer[] = [];
  #waiting: (Buffer | string)[] = [];
  #events: CarrierStreamEvents | undefined;
  #sentMs = 0;
  readonly #news = new EventEmitter();
  /** False: what is sent waits in the carrier until `play`. */
  playsAtOnce = true;

  listen(events: CarrierStreamEvents): void {
    this.#events = events;
  }

  sendAudio(payload: string): void {
    this.#take(Buffer.from(payload, 'base64'));
  }

  sendMark(name: string): void {
    this.#take(name);
  }

  #take(one: Buffer | string): void {
    this.#waiting.push(one);
    this.#news.emit('news');
    if (this.playsAtOnce) setImmediate(() => this.play());
  }

  /** Plays what waits, up to so many milliseconds of sound. */
  play(ms = Number.POSITIVE_INFINITY): void {
    let left = ms * 8;
    while (this.#waiting.length > 0) {
      const [next] = this.#waiting as [Buffer | string];
      if (typeof next === 'string') this.#events?.marked(next);
      else if (left <= 0) return;
      else {
        left -= next.length;
        this.#heard.push(next);
      }
      this.#waiting.shift();
      this.#news.emit('news');
    }
  }

  clear(): void {
    this.clears += 1;
    for (const one of this.#waiting.splice(0)) if (typeof one === 'string') this.#events?.marked(one);
    this.#news.emit('news');
  }

  pause(): void {}
  resume(): void {}

  close(): void {
    this.isClosed = true;
    this.#news.emit('news');
  }

  get heard(): string {
    return understand(Buffer.concat(this.#heard));
  }

  /** The words that wait to be played. */
  get waiting(): string {
    return understand(Buffer.concat(this.#waiting.filter((one) => typeof one !== 'string')));
  }

  /** Resolves once something is true of what came. */
  async until(isTrue: (handset: Handset) => boolean): Promise<void> {
    while (!isTrue(this)) await once(this.#news, 'news');
  }

  say(text: string): void {
    this.send(Buffer.concat([speak(text), silence(700)]));
  }

  send(sound: Buffer): void {
    for (let from = 0; from < sound.length; from += frameBytes) {
      const frame = sound.subarray(from, from + frameBytes);
      this.#events?.audio(frame.toString('base64'), this.#sentMs);
      this.#sentMs += frame.length / 8;
    }
  }

  press(keys: string): void {
    for (const digit of keys) this.#events?.key(digit);
  }

  hangUp(): void {
    this.#events?.ended('stop');
  }
}
