import { speak, understand } from '../../support/spoken.js';
import { bytesPerMs, frameBytes } from './mulaw.js';
import { Playback } from './playback.js';

/** After so many quiet frames the agent counts as silent. */
const maxQuietFrames = 3;
const sentences = /^[\s\S]*[.!?…](?=\s|$)/;

/** What was heard of one talk cycle. */
export interface HeardCycle {
  text: string;
  ms: number;
}

export interface SpeechListener {
  speaking(isOn: boolean): void;
  /** All of a talk cycle was heard. */
  heard(cycle: HeardCycle): void;
}

/**
 * Speaks the text of a session. Tokens make talk cycles, each ended by its last token: a sentence is spoken once it is whole, and
 * what is left with the end of the cycle; without that it is never spoken.
 */
export class RelaySpeech {
  readonly #playback = new Playback();
  readonly #listener: SpeechListener;
  #unspoken = '';
  #cycle: Buffer[] = [];
  #quietFrames = 0;
  #isOn = false;

  constructor(listener: SpeechListener) {
    this.#listener = listener;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  add(token: string, isLast: boolean): void {
    this.#unspoken += token;
    const spoken = isLast ? this.#unspoken : (sentences.exec(this.#unspoken)?.[0] ?? '');
    this.#unspoken = this.#unspoken.slice(spoken.length);
    if (spoken !== '') this.#playback.add(speak(spoken));
    if (isLast) this.#reach(this.#playback.mark('cycle'));
  }

  /** A frame of what is heard; shorter, or empty, where nothing is spoken. */
  play(): Buffer {
    const { audio, marks } = this.#playback.play(frameBytes);
    if (audio.length > 0) {
      this.#cycle.push(audio);
      this.#quietFrames = 0;
      this.#turn(true);
    } else if (this.#isOn) {
      this.#quietFrames += 1;
      if (this.#quietFrames >= maxQuietFrames) this.#turn(false);
    }
    this.#reach(marks);
    return audio;
  }

  /** Drops what is left to speak. Returns what was heard of the cycle. */
  interrupt(): HeardCycle {
    this.#playback.clear();
    this.#unspoken = '';
    const heard = this.#takeCycle();
    this.#turn(false);
    return heard;
  }

  #reach(marks: readonly string[]): void {
    for (const _ of marks) {
      const cycle = this.#takeCycle();
      if (cycle.ms > 0) this.#listener.heard(cycle);
    }
  }

  #takeCycle(): HeardCycle {
    const sound = Buffer.concat(this.#cycle.splice(0));
    return { text: understand(sound).trim(), ms: sound.length / bytesPerMs };
  }

  #turn(isOn: boolean): void {
    if (this.#isOn === isOn) return;
    this.#isOn = isOn;
    this.#quietFrames = 0;
    this.#listener.speaking(isOn);
  }
}
