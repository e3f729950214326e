import { withoutMarkdown } from '../../domain/lib/markdown/plain.js';
import type { ModelToolCall } from '../../providers/model/chat-model.js';
import { Agenda, type AgendaTimer, type AskedFor, maxFailures, type Voice } from '../bridge/agenda.js';
import { type Entered, KeyEntry } from '../bridge/key-entry.js';
import type {
  BackendNews,
  BridgeClock,
  BridgeEndReason,
  BridgeStop,
  Cut,
  SaidAt,
  ToSay,
} from '../bridge/ports.js';
import { RecordingTime } from '../bridge/recording-time.js';
import { Timers } from '../bridge/timers.js';
import { isListening, keysNote, tellings } from '../bridge/words.js';
import { Answers } from './answers.js';
import { msPerCharacter } from './heard-part.js';
import type { Interruption, RelayLine, RelayOpening } from './ports.js';
import { type InterruptedUtterances, Speech, type SpeechTimer, type Utterance } from './speech.js';
import type { RelayWork } from './work.js';

/** Milliseconds. */
const times = {
  /** How long words are awaited after the end of a sound, before it counts as a mere sound. */
  words: 2_000,
  /** Someone who speaks longer without words is not waited for. */
  maxSpeech: 30_000,
  retry: 700,
};

/** Rounds of tools after words of the caller; then the model has to speak. */
const maxRounds = 8;
const maxNotes = 20;

type TimerName = SpeechTimer | AgendaTimer | 'words' | 'model' | 'keys';

export interface RelaySessionOptions {
  line: Pick<RelayLine, 'say'>;
  work: RelayWork;
  clock: BridgeClock;
  /** When the stream began, by the clock. */
  beganAt: number;
  streamBeganMs: number;
}

/**
 * A call whose words go to a chat model and whose answers the carrier speaks: what happens on either side goes in, and
 * what has to be done goes out, at once. It waits for nothing: what takes time is `RelayWork`, and comes back as an
 * event. The `Agenda` decides what is said next.
 */
export class RelaySession implements Voice {
  readonly #work: RelayWork;
  readonly #timers: Timers<TimerName>;
  readonly #agenda: Agenda;
  readonly #speech: Speech;
  readonly #answers: Answers;
  readonly #keys: KeyEntry;
  readonly #time: RecordingTime;

  #isOpen = false;
  #isOver = false;
  #rounds = 0;
  /** Told with the next answer. */
  #notes: string[] = [];
  /** Tools that run, by their response. */
  #tools: string | undefined;
  /** What an interruption has left unheard. */
  #rest: { text: string; isWhole: boolean } | undefined;
  #callerSpeaksSince: number | undefined;
  #items = 0;

  readonly answersBesideTools = false;

  constructor({ line, work, clock, beganAt, streamBeganMs }: RelaySessionOptions) {
    this.#work = work;
    this.#timers = new Timers(clock);
    this.#time = new RecordingTime(beganAt, streamBeganMs);
    this.#agenda = new Agenda(this, this.#timers, () => work.look());
    this.#speech = new Speech({
      line,
      timers: this.#timers,
      heard: (utterances) => this.#heard(utterances),
    });
    this.#answers = new Answers({
      work,
      speech: this.#speech,
      timers: this.#timers,
      nextItem: () => this.#nextItem('agent'),
      silent: (number) => this.failed(number, false),
      full: (number) => this.answered(number, []),
    });
    this.#keys = new KeyEntry(this.#timers, (entered) => this.#entered(entered));
  }

  opened({ conduct, firstWords, greeting, news }: RelayOpening): void {
    if (this.#isOver) return;
    this.#isOpen = true;
    if (greeting !== undefined) this.#sayWords(greeting);
    else if (firstWords !== undefined) {
      this.tell(firstWords);
      this.#agenda.owe('answer');
    }
    this.#agenda.conductBy(conduct);
    this.#agenda.apply(news);
  }

  // The caller

  /** The caller has said something. */
  said(text: string): void {
    if (this.#isOver) return;
    if (isListening(text) && (this.#rest !== undefined || this.#speech.isBusy)) {
      this.#goOnAfterSound();
      return;
    }
    this.#rest = undefined;
    this.#agenda.oweNothing();
    this.#speech.answered();
    const startMs = this.#callerSpeaksSince ?? this.#timers.now() - text.length * msPerCharacter;
    this.#callerSpeaksSince = undefined;
    this.#timers.clear('words');
    this.#agenda.heard();
    this.#rounds = 0;
    this.#store(text, this.#time.spanOfClock(startMs, this.#timers.now()));
    if (this.#agenda.isEnding) return;
    this.#answers.abort();
    this.#agenda.owe('answer');
    this.#agenda.goOn();
  }

  speaking(who: 'agent' | 'caller', isOn: boolean): void {
    if (this.#isOver) return;
    if (who === 'agent') this.#speech.speaking(isOn);
    else if (isOn) {
      this.#callerSpeaksSince = this.#timers.now();
      this.#timers.clear('silence');
      this.#awaitWords(times.maxSpeech);
    } else if (this.#callerSpeaksSince !== undefined) this.#awaitWords(times.words);
  }

  #awaitWords(ms: number): void {
    this.#timers.set('words', ms, () => this.#goOnAfterSound());
  }

  /** The carrier has dropped what was being spoken, because the caller made a sound or pressed a key. */
  interrupted(interruption: Interruption): void {
    if (this.#isOver) return;
    const wasWhole = this.#answers.current?.hasSpoken !== true;
    const outcome = this.#speech.interrupt(interruption);
    if (!wasWhole) this.#answers.abort();
    if (outcome === undefined) return;
    this.#rest = { text: this.#keepHeard(outcome, 'interrupted'), isWhole: wasWhole };
    this.#timers.clear('silence');
    if (!this.#keys.isEntering && !this.#timers.isSet('words')) this.#awaitWords(times.words);
  }

  /** A cough, or "mhm": the agent goes on where it was. */
  #goOnAfterSound(): void {
    this.#callerSpeaksSince = undefined;
    this.#timers.clear('words');
    if (this.#rest?.isWhole === false && !this.#agenda.isEnding) {
      this.tell(tellings.goOn);
      this.#agenda.owe('answer');
    }
    this.#agenda.goOn();
  }

  press(digit: string): void {
    if (this.#isOver || this.#agenda.isEnding) return;
    this.#agenda.heard();
    this.#timers.clear('words');
    this.#rounds = 0;
    this.#rest = undefined;
    this.#keys.begin(this.#agenda.keysFor);
    this.#keys.press(digit);
  }

  /** The value of a field goes to the domain alone: neither the model nor the transcript gets it. */
  #entered({ digits, field = this.#agenda.keysFor }: Entered): void {
    this.#answers.abort();
    // The carrier may tell of the interruption after the key.
    this.#rest = undefined;
    if (field !== undefined) {
      this.#work.takeKeys(field, digits);
      return;
    }
    const now = this.#timers.now();
    if (digits !== '') this.#store(keysNote(digits), this.#time.spanOfClock(now, now));
    this.#agenda.owe('answer');
    this.#agenda.goOn();
  }

  keysTaken({ told, news }: { told: string; news: BackendNews }): void {
    if (this.#isOver) return;
    this.tell(told);
    this.#agenda.owe('answer');
    this.#agenda.apply(news);
  }

  /** The session has ended from the other side. */
  left(): void {
    this.finish('caller_left');
  }

  stop(reason: BridgeStop): void {
    this.finish(reason);
  }

  /** The run wants the call to end. */
  hangUp(): void {
    if (!this.#isOver) this.#agenda.hangUp();
  }

  /** No model can be had. */
  lost(): void {
    this.finish('model_lost');
  }

  // What was heard of the agent

  #heard(utterances: readonly Utterance[]): void {
    for (const utterance of utterances) this.#keep(utterance, utterance.text, undefined);
    this.#agenda.goOn();
  }

  /** Stores what was heard. @returns the words that were not */
  #keepHeard({ heard, cut, unheard }: InterruptedUtterances, reason: Cut['reason']): string {
    for (const utterance of heard) this.#keep(utterance, utterance.text, undefined);
    let rest = '';
    if (cut !== undefined) {
      const { utterance, length, afterMs } = cut;
      const { text: whole } = utterance;
      this.#keep(utterance, whole.slice(0, length), {
        whole: whole.trim(),
        reason,
        atMs: Math.round(afterMs),
      });
      rest = whole.slice(length);
    }
    for (const { messageId, text } of unheard) if (messageId === undefined) rest = `${rest} ${text}`;
    for (const { messageId } of [...unheard].reverse()) {
      if (messageId !== undefined) this.#agenda.messages.sayAgain(messageId);
    }
    return rest.trim();
  }

  #keep(utterance: Utterance, text: string, cut: Cut | undefined): void {
    const { itemId, messageId, startedAt, sentAt } = utterance;
    const start = startedAt ?? sentAt;
    const spoken = cut?.atMs ?? text.length * msPerCharacter;
    const now = this.#timers.now();
    const span = this.#time.spanOfClock(start, cut === undefined ? now : Math.min(now, start + spoken));
    const heard = { text: text.trim(), ...span, ...(cut === undefined ? {} : { cut }) };
    if (messageId !== undefined) this.#work.played(messageId, heard);
    else if (heard.text !== '') this.#work.store({ itemId, by: 'agent', ...heard });
  }

  #store(text: string, at: SaidAt): void {
    this.#work.store({ itemId: this.#nextItem('caller'), by: 'caller', text, ...at });
  }

  #nextItem(by: 'caller' | 'agent'): string {
    this.#items += 1;
    return `${by}_${this.#items}`;
  }

  // The model

  /** A piece of the answer that was asked for. */
  piece(number: number, text: string): void {
    if (!this.#isOver) this.#answers.piece(number, text);
  }

  /** The model has said all of it. */
  answered(number: number, calls: readonly ModelToolCall[]): void {
    const answer = this.#isOver ? undefined : this.#answers.end(number);
    if (answer === undefined) return;
    const { purpose, hasSpoken, withTools } = answer;
    const runs = calls.length > 0 && withTools;
    if (runs || hasSpoken) this.#agenda.hasWorked();
    else this.#agenda.hadNothingToSay(purpose);
    if (runs) this.#runTools(`answer_${number}`, calls, hasSpoken);
    this.#agenda.goOn();
  }

  /** @param isLasting trying again is of no use */
  failed(number: number, isLasting: boolean): void {
    const answer = this.#isOver ? undefined : this.#answers.end(number);
    if (answer === undefined) return;
    if (this.#agenda.hasFailed() >= maxFailures || isLasting) {
      this.finish('model_lost');
      return;
    }
    const { purpose, hasSpoken, notes } = answer;
    if (purpose === 'answer' || (purpose === 'goodbye' && !hasSpoken)) {
      this.#agenda.owe(purpose);
      this.#notes.unshift(...notes);
      if (hasSpoken) this.tell(tellings.goOn);
    }
    this.#timers.set('retry', times.retry, () => this.#agenda.goOn());
  }

  #runTools(responseId: string, calls: readonly ModelToolCall[], hasSpoken: boolean): void {
    this.#rounds += 1;
    this.#tools = responseId;
    this.#agenda.toolsBegin(hasSpoken);
    this.#work.runTools(responseId, calls);
  }

  toolsDone(responseId: string, news: BackendNews): void {
    if (this.#isOver || this.#tools !== responseId) return;
    this.#tools = undefined;
    const { current } = this.#answers;
    if (current?.purpose === 'filler' && !current.hasSpoken) this.#answers.abort();
    this.#agenda.toolsEnd(news);
  }

  // The agent speaks

  get isReady(): boolean {
    return !this.#isOver && this.#isOpen && this.#answers.current === undefined;
  }

  get isPlaying(): boolean {
    return this.#speech.isBusy;
  }

  get isSpeaking(): boolean {
    return this.#speech.isBusy || this.#answers.current !== undefined;
  }

  get isListening(): boolean {
    return this.#keys.isEntering || this.#timers.isSet('words');
  }

  say({ messageId, text }: ToSay): void {
    this.#sayWords(withoutMarkdown(text), messageId);
  }

  #sayWords(text: string, messageId?: number): void {
    this.#speech.begin(this.#nextItem('agent'), messageId);
    this.#speech.add(text);
    this.#speech.finish();
  }

  sayRest(): void {
    const rest = this.#rest?.text ?? '';
    this.#rest = undefined;
    if (rest !== '') this.#sayWords(rest);
  }

  ask(what: AskedFor, withTools: boolean): void {
    const notes = what === 'filler' ? [] : this.#notes.splice(0);
    this.#answers.ask(what, notes, withTools && this.#rounds < maxRounds);
  }

  /** The carrier's session needs no pause. */
  rest(): boolean {
    return false;
  }

  // What the domain tells

  news(news: BackendNews): void {
    if (!this.#isOver) this.#agenda.apply(news);
  }

  /** It is stored that a message was said. */
  messagePlayed(messageId: number, news: BackendNews): void {
    this.#agenda.messages.settle(messageId);
    if (this.#isOver) return;
    this.#agenda.owe('answer');
    this.#agenda.apply(news);
  }

  tell(note: string): void {
    if (this.#notes.length < maxNotes) this.#notes.push(note);
  }

  /** It is in the history that the next answer is asked for with. */
  reportStored(): void {}

  /** As are the instructions. */
  instruct(): void {}

  finish(reason: BridgeEndReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const number = this.#answers.current?.number;
    if (number !== undefined) this.#work.abort(number);
    const left = this.#speech.drop();
    this.#timers.clearAll();
    if (left !== undefined) this.#keepHeard(left, 'call_ended');
    this.#work.ended(reason, this.#agenda.endsByItself);
  }
}
