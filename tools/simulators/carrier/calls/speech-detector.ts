import { isLoud, understand } from '../../support/spoken.js';
import { frameMs } from './mulaw.js';

/** Shorter sound is not taken for speech. */
const minMs = 60;
/** Speech ends after so much quiet. */
const pauseMs = 200;

/** Hears where a person begins and ends to speak, and understands what it says. */
export class SpeechDetector {
  readonly #began: () => void;
  readonly #ended: (words: string) => void;
  #frames: Buffer[] = [];
  #loudMs = 0;
  #quietMs = 0;

  /** @param ended called with the words, which are empty for a sound without any */
  constructor(began: () => void, ended: (words: string) => void) {
    this.#began = began;
    this.#ended = ended;
  }

  add(frame: Buffer): void {
    const loud = isLoud(frame);
    if (!loud && this.#frames.length === 0) return;
    this.#frames.push(frame);
    if (loud) {
      const before = this.#loudMs;
      this.#loudMs += frameMs;
      this.#quietMs = 0;
      if (before < minMs && this.#loudMs >= minMs) this.#began();
      return;
    }
    this.#quietMs += frameMs;
    if (this.#quietMs < pauseMs) return;
    const sound = Buffer.concat(this.#frames.splice(0));
    const wasSpeech = this.#loudMs >= minMs;
    [this.#loudMs, this.#quietMs] = [0, 0];
    if (wasSpeech) this.#ended(understand(sound).trim());
  }
}
