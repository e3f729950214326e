import type { ModelToolCall } from '../../providers/model/chat-model.js';
import type {
  BridgeClock,
  BridgeEndReason,
  BridgeStop,
  Conduct,
  Cut,
  DeskNews,
  SaidAt,
} from '../bridge/ports.js';
import { Timers } from '../bridge/timers.js';
import { isListening, keysNote, tellings } from '../bridge/words.js';
import { msPerCharacter } from './heard-part.js';
import type { Interruption, RelayLine, RelayOpening } from './ports.js';
import { type InterruptedUtterances, Speech, type SpeechTimer, type Utterance } from './speech.js';
import type { RelayWork } from './work.js';

/** Milliseconds. */
const times = {
  /** How long words are awaited after the end of a sound, before it counts as a mere sound. */
  words: 2_000,
  /** Someone who speaks longer without words is not waited for. */
  longestSpeech: 30_000,
  /** A model that says nothing for so long is asked again. */
  silentModel: 10_000,
  nextFiller: 8_000,
  look: 3_000,
  lookSoon: 500,
  keys: 3_000,
  /** A goodbye, and a call that ends, is waited for no longer than this. */
  ending: 20_000,
  retry: 700,
};

/** How often in a row the model may fail, or say nothing. */
const mostFailures = 3;
/** Rounds of tools after words of the caller; then the model has to speak. */
const mostRounds = 8;
/** Of one answer: some minutes. */
const mostCharacters = 4_000;
const mostKeys = 64;
const mostNotes = 20;

type TimerName =
  | SpeechTimer
  | 'words'
  | 'model'
  | 'filler'
  | 'look'
  | 'keys'
  | 'silence'
  | 'ending'
  | 'retry';

type Purpose = 'answer' | 'filler' | 'goodbye';

interface Answer {
  number: number;
  purpose: Purpose;
  hasSpoken: boolean;
  characters: number;
  withTools: boolean;
  /** What it was told, which is told again if it fails. */
  notes: string[];
}

export interface ConversationOptions {
  line: Pick<RelayLine, 'say'>;
  work: RelayWork;
  clock: BridgeClock;
  streamBeganMs: number;
}

/**
 * A call whose words go to a chat model and whose answers the carrier speaks: what happens on either side goes in, and what has to be done
 * goes out, at once. It waits for nothing: what takes time is `RelayWork`, and comes back as an event.
 */
export class RelayConversation {
  readonly #work: RelayWork;
  readonly #timers: Timers<TimerName>;
  readonly #speech: Speech;
  readonly #beganAt: number;
  readonly #streamBeganMs: number;

  #conduct: Conduct = { silenceMs: null, silencePrompts: 0, fillerMs: 1_500 };
  #isOpen = false;
  #isOver = false;
  #standsBy = false;
  #ending: 'hang_up' | 'transfer' | undefined;
  #endsByItself = false;
  #isCommanded = false;

  #answers = 0;
  #answer: Answer | undefined;
  #owesAnswer = false;
  #owesGoodbye = false;
  #failures = 0;
  #emptyAnswers = 0;
  #rounds = 0;
  /** Told with the next answer. */
  #notes: string[] = [];
  /** Tools that run, by their response. */
  #tools: string | undefined;
  #hasFilled = false;

  #toSay: { messageId: number; text: string }[] = [];
  /** Messages that are being said, or whose saying is being stored. */
  #saying = new Set<number>();
  #messages = new Map<number, string>();
  /** What an interruption has left unheard. */
  #rest: { text: string; isWhole: boolean } | undefined;

  #callerSpeaksSince: number | undefined;
  #items = 0;
  #silences = 0;
  #keysFor: string | undefined;
  #keys: { digits: string; field: string | undefined } | undefined;

  constructor({ line, work, clock, streamBeganMs }: ConversationOptions) {
    this.#work = work;
    this.#timers = new Timers(clock);
    this.#beganAt = clock.now();
    this.#streamBeganMs = streamBeganMs;
    this.#speech = new Speech({
      line,
      timers: this.#timers,
      heard: (utterances) => this.#heard(utterances),
    });
  }

  opened({ conduct, firstWords, greeting, news }: RelayOpening): void {
    if (this.#isOver) return;
    this.#conduct = conduct;
    this.#isOpen = true;
    if (greeting !== undefined) this.#say(greeting);
    else if (firstWords !== undefined) {
      this.#tell(firstWords);
      this.#owesAnswer = true;
    }
    this.#apply(news);
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
    this.#owesAnswer = false;
    this.#speech.answered();
    const startMs = this.#callerSpeaksSince ?? this.#timers.now() - text.length * msPerCharacter;
    this.#callerSpeaksSince = undefined;
    this.#timers.clear('words');
    this.#timers.clear('silence');
    this.#silences = 0;
    this.#rounds = 0;
    this.#store('caller', text, this.#span(startMs, this.#timers.now()));
    if (this.#ending !== undefined) return;
    if (this.#answer !== undefined) this.#abort();
    this.#owesAnswer = true;
    this.#goOn();
  }

  speaking(who: 'agent' | 'caller', isOn: boolean): void {
    if (this.#isOver) return;
    if (who === 'agent') this.#speech.speaking(isOn);
    else if (isOn) {
      this.#callerSpeaksSince = this.#timers.now();
      this.#timers.clear('silence');
      this.#awaitWords(times.longestSpeech);
    } else if (this.#callerSpeaksSince !== undefined) this.#awaitWords(times.words);
  }

  #awaitWords(ms: number): void {
    this.#timers.set('words', ms, () => this.#goOnAfterSound());
  }

  /** The carrier has dropped what was being spoken, because the caller made a sound or pressed a key. */
  interrupted(interruption: Interruption): void {
    if (this.#isOver) return;
    const wasWhole = this.#answer?.hasSpoken !== true;
    const outcome = this.#speech.interrupt(interruption);
    if (!wasWhole) this.#abort();
    if (outcome === undefined) return;
    this.#rest = { text: this.#keepHeard(outcome, 'interrupted'), isWhole: wasWhole };
    this.#timers.clear('silence');
    if (this.#keys === undefined && !this.#timers.isSet('words')) this.#awaitWords(times.words);
  }

  /** A cough, or "mhm": the agent goes on where it was. */
  #goOnAfterSound(): void {
    this.#callerSpeaksSince = undefined;
    this.#timers.clear('words');
    if (this.#rest?.isWhole === false && this.#ending === undefined) {
      this.#tell(tellings.goOn);
      this.#owesAnswer = true;
    }
    this.#goOn();
  }

  press(digit: string): void {
    if (this.#isOver || this.#ending !== undefined) return;
    this.#timers.clear('silence');
    this.#timers.clear('words');
    this.#silences = 0;
    this.#rounds = 0;
    this.#rest = undefined;
    this.#keys ??= { digits: '', field: this.#keysFor };
    if (digit !== '#') this.#keys.digits += digit;
    if (digit === '#' || this.#keys.digits.length >= mostKeys) this.#enterKeys();
    else this.#timers.set('keys', times.keys, () => this.#enterKeys());
  }

  /** The value of a field goes to the domain alone: neither the model nor the transcript gets it. */
  #enterKeys(): void {
    this.#timers.clear('keys');
    const entered = this.#keys;
    this.#keys = undefined;
    if (entered === undefined) return;
    if (this.#answer !== undefined) this.#abort();
    if (entered.field !== undefined) {
      this.#work.takeKeys(entered.field, entered.digits);
      return;
    }
    if (entered.digits !== '') {
      const now = this.#timers.now();
      this.#store('caller', keysNote(entered.digits), this.#span(now, now));
    }
    this.#owesAnswer = true;
    this.#goOn();
  }

  keysTaken({ told, news }: { told: string; news: DeskNews }): void {
    if (this.#isOver) return;
    this.#tell(told);
    this.#owesAnswer = true;
    this.#apply(news);
  }

  /** The session has ended from the other side. */
  left(): void {
    this.#finish('caller_left');
  }

  stop(reason: BridgeStop): void {
    this.#finish(reason);
  }

  /** The run wants the call to end: what is being said is said to its end, then goodbye. */
  hangUp(): void {
    if (this.#isOver || this.#ending !== undefined) return;
    this.#tell(tellings.mustEnd);
    this.#owesAnswer = false;
    this.#owesGoodbye = true;
    this.#isCommanded = true;
    this.#endSoon('hang_up');
    this.#goOn();
  }

  /** No model can be had. */
  lost(): void {
    this.#finish('model_lost');
  }

  // What was heard of the agent

  #heard(utterances: readonly Utterance[]): void {
    for (const utterance of utterances) this.#keep(utterance, utterance.text, undefined);
    this.#goOn();
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
      if (messageId !== undefined) this.#sayAgain(messageId);
    }
    return rest.trim();
  }

  #sayAgain(messageId: number): void {
    this.#saying.delete(messageId);
    this.#toSay.unshift({ messageId, text: this.#messages.get(messageId) ?? '' });
  }

  #keep(utterance: Utterance, text: string, cut: Cut | undefined): void {
    const { itemId, messageId, startedAt, sentAt } = utterance;
    const start = startedAt ?? sentAt;
    const spoken = cut?.atMs ?? text.length * msPerCharacter;
    const now = this.#timers.now();
    const span = this.#span(start, cut === undefined ? now : Math.min(now, start + spoken));
    const heard = { text: text.trim(), ...span, ...(cut === undefined ? {} : { cut }) };
    if (messageId !== undefined) this.#work.played(messageId, heard);
    else if (heard.text !== '') this.#work.store({ itemId, by: 'agent', ...heard });
  }

  #store(by: 'caller' | 'agent', text: string, at: SaidAt): void {
    this.#items += 1;
    this.#work.store({ itemId: `${by}_${this.#items}`, by, text, ...at });
  }

  #span(startMs: number, endMs: number): SaidAt {
    const from = (ms: number) => Math.max(0, Math.round(this.#streamBeganMs + ms - this.#beganAt));
    return { startMs: from(startMs), endMs: from(endMs) };
  }

  // The model

  /** A piece of the answer that was asked for. */
  piece(number: number, text: string): void {
    const answer = this.#answer;
    if (this.#isOver || answer?.number !== number || text === '') return;
    this.#timers.clear('model');
    if (!answer.hasSpoken) {
      if (text.trim() === '') return;
      answer.hasSpoken = true;
      this.#items += 1;
      this.#speech.begin(`agent_${this.#items}`);
    }
    const left = mostCharacters - answer.characters;
    answer.characters += text.length;
    this.#speech.add(text.slice(0, left));
    if (answer.characters < mostCharacters) return;
    this.#work.abort(number);
    this.answered(number, []);
  }

  /** The model has said all of it. */
  answered(number: number, calls: readonly ModelToolCall[]): void {
    const answer = this.#answer;
    if (this.#isOver || answer?.number !== number) return;
    this.#endAnswer();
    this.#failures = 0;
    if (calls.length > 0 && answer.withTools) this.#runTools(`answer_${number}`, calls, answer.hasSpoken);
    else if (answer.hasSpoken) this.#emptyAnswers = 0;
    else if (answer.purpose === 'answer') {
      // Asked once more; then the silence of the caller counts.
      this.#emptyAnswers += 1;
      if (this.#emptyAnswers === 1) this.#owesAnswer = true;
    }
    this.#goOn();
  }

  /** @param isLasting trying again is of no use */
  failed(number: number, isLasting: boolean): void {
    const answer = this.#answer;
    if (this.#isOver || answer?.number !== number) return;
    this.#endAnswer();
    this.#failures += 1;
    if (isLasting || this.#failures >= mostFailures) {
      this.#finish('model_lost');
      return;
    }
    if (answer.purpose === 'answer') {
      this.#owesAnswer = true;
      this.#notes.unshift(...answer.notes);
      if (answer.hasSpoken) this.#tell(tellings.goOn);
    }
    if (answer.purpose === 'goodbye' && !answer.hasSpoken) this.#owesGoodbye = true;
    this.#timers.set('retry', times.retry, () => this.#goOn());
  }

  #endAnswer(): void {
    if (this.#answer?.hasSpoken === true) this.#speech.finish();
    this.#answer = undefined;
    this.#timers.clear('model');
  }

  #abort(): void {
    const answer = this.#answer;
    if (answer === undefined) return;
    this.#endAnswer();
    this.#work.abort(answer.number);
  }

  #runTools(responseId: string, calls: readonly ModelToolCall[], hasSpoken: boolean): void {
    this.#rounds += 1;
    this.#tools = responseId;
    this.#hasFilled = hasSpoken;
    this.#fillLater(this.#conduct.fillerMs);
    this.#work.runTools(responseId, calls);
  }

  toolsDone(responseId: string, news: DeskNews): void {
    if (this.#isOver || this.#tools !== responseId) return;
    this.#tools = undefined;
    this.#timers.clear('filler');
    const { purpose, hasSpoken } = this.#answer ?? {};
    if (purpose === 'filler' && hasSpoken === false) this.#abort();
    this.#owesAnswer = true;
    this.#apply(news, this.#hasFilled);
  }

  #fillLater(ms: number): void {
    this.#timers.set('filler', ms, () => this.#fill());
  }

  /** Says that it takes a moment, once nothing else is heard. */
  #fill(): void {
    if (this.#answer !== undefined || this.#speech.isBusy || this.#isListening) {
      this.#fillLater(times.lookSoon);
      return;
    }
    this.#ask('filler', { notes: [tellings.filler], withTools: false });
    this.#fillLater(times.nextFiller);
  }

  #ask(purpose: Purpose, { notes, withTools }: { notes: string[]; withTools: boolean }): void {
    this.#timers.clear('silence');
    this.#answers += 1;
    const number = this.#answers;
    this.#answer = { number, purpose, hasSpoken: false, characters: 0, withTools, notes };
    this.#timers.set('model', times.silentModel, () => {
      this.#work.abort(number);
      this.failed(number, false);
    });
    const saying = this.#speech.texts;
    this.#work.ask(number, { withTools, notes, saying, withoutOpenCalls: purpose === 'filler' });
  }

  // What is next

  get #isListening(): boolean {
    return this.#keys !== undefined || this.#timers.isSet('words');
  }

  /** Does what is next, if it is possible now. */
  #goOn(): void {
    if (this.#isOver || !this.#isOpen || this.#answer !== undefined || this.#timers.isSet('retry')) return;
    if (this.#isListening && this.#ending === undefined) return;
    this.#startNext();
    this.#endIfDone();
    this.#restIfIdle();
  }

  #startNext(): void {
    const rest = this.#rest?.text ?? '';
    this.#rest = undefined;
    if (rest !== '') this.#say(rest);
    const [next] = this.#toSay;
    if (next !== undefined) {
      this.#toSay.shift();
      this.#saying.add(next.messageId);
      this.#say(next.text, next.messageId);
      return;
    }
    // What a message that was said leads to comes first.
    if (this.#saying.size > 0) return;
    if (this.#ending !== undefined) {
      if (!this.#owesGoodbye) return;
      this.#owesGoodbye = false;
      this.#ask('goodbye', { notes: this.#notes.splice(0), withTools: false });
      return;
    }
    if (!this.#owesAnswer || this.#standsBy || this.#tools !== undefined) return;
    this.#owesAnswer = false;
    this.#ask('answer', { notes: this.#notes.splice(0), withTools: this.#rounds < mostRounds });
  }

  #say(text: string, messageId?: number): void {
    this.#items += 1;
    this.#speech.begin(`agent_${this.#items}`, messageId);
    this.#speech.add(text);
    this.#speech.finish();
  }

  /** The call ends once the last words were heard. */
  #endIfDone(): void {
    if (this.#ending === undefined || this.#answer !== undefined || this.#saying.size > 0) return;
    if (this.#speech.isBusy || this.#tools !== undefined || this.#toSay.length > 0) return;
    this.#finish(this.#endReason);
  }

  get #endReason(): BridgeEndReason {
    if (this.#isCommanded) return 'commanded';
    return this.#ending === 'transfer' ? 'transfer' : 'agent_ended';
  }

  /** Silence counts from the end of what was heard. */
  #restIfIdle(): void {
    if (this.#isOver || this.#answer !== undefined || this.#speech.isBusy || this.#isListening) return;
    if (this.#owesAnswer || this.#saying.size > 0 || this.#tools !== undefined) return;
    const { silenceMs } = this.#conduct;
    if (silenceMs === null || this.#standsBy || this.#timers.isSet('silence')) return;
    this.#timers.set('silence', silenceMs, () => this.#askWhetherThere());
  }

  #askWhetherThere(): void {
    this.#silences += 1;
    if (this.#silences <= this.#conduct.silencePrompts) {
      this.#tell(tellings.silence);
      this.#owesAnswer = true;
    } else {
      this.#tell(tellings.silenceGoodbye);
      this.#endsByItself = true;
      this.#owesGoodbye = true;
      this.#endSoon('hang_up');
    }
    this.#goOn();
  }

  #endSoon(kind: 'hang_up' | 'transfer'): void {
    if (this.#ending !== undefined) return;
    this.#ending = kind;
    this.#timers.clear('silence');
    this.#timers.set('ending', times.ending, () => this.#finish(this.#endReason));
  }

  // What the domain tells

  news(news: DeskNews): void {
    if (!this.#isOver) this.#apply(news);
  }

  /** It is stored that a message was said. */
  messagePlayed(messageId: number, news: DeskNews): void {
    this.#saying.delete(messageId);
    if (this.#isOver) return;
    this.#owesAnswer = true;
    this.#apply(news);
  }

  /** @param hasSpoken whether the agent spoke when it made the calls that led to the news */
  #apply(news: DeskNews, hasSpoken = false): void {
    if (!news.isCurrent) {
      this.#finish('superseded');
      return;
    }
    // They are in the history; the agent answers them.
    if ((news.notes?.length ?? 0) > 0) this.#owesAnswer = true;
    for (const { messageId, text } of news.toSay ?? []) {
      if (this.#messages.has(messageId)) continue;
      this.#messages.set(messageId, text);
      this.#toSay.push({ messageId, text });
    }
    this.#keysFor = news.keysFor;
    const standsBy = news.standsBy === true;
    if (this.#standsBy && !standsBy) this.#owesAnswer = true;
    if (standsBy && !this.#standsBy && !this.#timers.isSet('filler')) this.#fillLater(this.#conduct.fillerMs);
    this.#standsBy = standsBy;
    if (!standsBy && this.#tools === undefined) this.#timers.clear('filler');
    if (news.ending !== undefined) this.#endWith(news.ending, hasSpoken);
    this.#lookLater();
    this.#goOn();
  }

  /** Words that are being spoken are the goodbye; else there is one. */
  #endWith(ending: 'hang_up' | 'transfer', hasSpoken: boolean): void {
    if (this.#ending !== undefined) return;
    this.#owesAnswer = false;
    const speaks = hasSpoken || this.#speech.isBusy || this.#answer !== undefined;
    if (!speaks && this.#toSay.length === 0 && this.#saying.size === 0) {
      this.#tell(ending === 'transfer' ? tellings.transfer : tellings.goodbye);
      this.#owesGoodbye = true;
    }
    this.#endSoon(ending);
  }

  #lookLater(): void {
    this.#timers.set('look', this.#standsBy ? times.lookSoon : times.look, () => {
      // Set again by what comes back; and if nothing does.
      this.#lookLater();
      this.#work.look();
    });
  }

  #tell(note: string): void {
    if (this.#notes.length < mostNotes) this.#notes.push(note);
  }

  #finish(reason: BridgeEndReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#answer !== undefined) this.#work.abort(this.#answer.number);
    this.#answer = undefined;
    const left = this.#speech.drop();
    this.#timers.clearAll();
    if (left !== undefined) this.#keepHeard(left, 'call_ended');
    this.#work.ended(reason, this.#endsByItself);
  }
}
