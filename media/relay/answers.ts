import type { AskedFor } from '../bridge/agenda.js';
import { tellings } from '../bridge/words.js';
import type { Speech } from './speech.js';
import type { RelayWork } from './work.js';

/** An answer that the model was asked for. */
export interface Answer {
  number: number;
  purpose: AskedFor;
  hasSpoken: boolean;
  characters: number;
  withTools: boolean;
  /** What it was told, which is told again if it fails. */
  notes: readonly string[];
}

interface AnswerTimer {
  set(name: 'model', ms: number, run: () => void): void;
  clear(name: 'model'): void;
}

export interface AnswersOptions {
  work: Pick<RelayWork, 'ask' | 'abort'>;
  speech: Pick<Speech, 'begin' | 'add' | 'finish' | 'texts'>;
  timers: AnswerTimer;
  /** @returns the id of what the agent says next */
  nextItem(): string;
  /** The model says nothing for so long that it is given up. */
  silent(number: number): void;
  /** It has said as much as is spoken of one answer. */
  full(number: number): void;
}

/** A model that says nothing for so long is asked again. Milliseconds. */
const silentModelMs = 10_000;
/** Of one answer: some minutes. */
const maxCharacters = 4_000;

/** The answers of the chat model: one at a time, whose pieces are spoken as they come. */
export class Answers {
  readonly #options: AnswersOptions;
  #count = 0;
  #current: Answer | undefined;

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /** The one that is being made. */
  get current(): Readonly<Answer> | undefined {
    return this.#current;
  }

  ask(purpose: AskedFor, notes: readonly string[], withTools: boolean): void {
    const { work, speech, timers, silent } = this.#options;
    this.#count += 1;
    const number = this.#count;
    const told = purpose === 'filler' ? [tellings.filler] : notes;
    this.#current = { number, purpose, hasSpoken: false, characters: 0, withTools, notes: told };
    timers.set('model', silentModelMs, () => {
      work.abort(number);
      silent(number);
    });
    const saying = speech.texts;
    work.ask(number, { withTools, notes: told, saying, withoutOpenCalls: purpose === 'filler' });
  }

  piece(number: number, text: string): void {
    const answer = this.#current;
    if (answer?.number !== number || text === '') return;
    const { work, speech, timers, nextItem, full } = this.#options;
    timers.clear('model');
    if (!answer.hasSpoken) {
      if (text.trim() === '') return;
      answer.hasSpoken = true;
      speech.begin(nextItem());
    }
    const left = maxCharacters - answer.characters;
    answer.characters += text.length;
    speech.add(text.slice(0, left));
    if (answer.characters < maxCharacters) return;
    work.abort(number);
    full(number);
  }

  /** Nothing comes of it any more. @returns the answer; undefined if it was given up before */
  end(number: number): Answer | undefined {
    const answer = this.#current;
    if (answer?.number !== number) return undefined;
    if (answer.hasSpoken) this.#options.speech.finish();
    this.#current = undefined;
    this.#options.timers.clear('model');
    return answer;
  }

  abort(): void {
    const number = this.#current?.number;
    if (number === undefined) return;
    this.end(number);
    this.#options.work.abort(number);
  }
}
