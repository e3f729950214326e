import type { RealtimeInstructions } from '../../providers/realtime/realtime.js';
import { MessagesToSay } from './messages-to-say.js';
import type { BackendNews, BridgeEndReason, Conduct, ToSay } from './ports.js';
import { tellings } from './words.js';

/** Words of the agent's own that the model is asked for. */
export type AskedFor = 'answer' | 'filler' | 'goodbye';

/** The agent's voice in a call, by sound or by text, as far as it matters for what is said next. */
export interface Voice {
  /** Whether something can be said now: the call goes on, and the model makes nothing. */
  readonly isReady: boolean;
  /** Whether something was made, and not heard yet. */
  readonly isPlaying: boolean;
  /** Whether the agent is heard, or will be. */
  readonly isSpeaking: boolean;
  /** Whether the caller makes itself heard. */
  readonly isListening: boolean;
  /** Whether the caller can be answered while tools run. */
  readonly answersBesideTools: boolean;
  say(message: ToSay): void;
  ask(what: AskedFor, withTools: boolean): void;
  /** What an interruption that was none has left unheard. */
  sayRest(): void;
  /** Tells the model something for its next words. */
  tell(note: string): void;
  /** The same, of something that is stored in the chat. */
  reportStored(note: string): void;
  instruct(instructions: RealtimeInstructions): void;
  /** Nothing is to be said. @returns whether the voice makes use of the pause itself */
  rest(): boolean;
  finish(reason: BridgeEndReason): void;
}

export type AgendaTimer = 'filler' | 'look' | 'silence' | 'ending' | 'retry';

interface AgendaTimers {
  set(name: AgendaTimer, ms: number, run: () => void): void;
  isSet(name: AgendaTimer): boolean;
  clear(name: AgendaTimer): void;
}

/** Milliseconds. */
const times = {
  nextFiller: 8_000,
  look: 3_000,
  checkSoon: 500,
  /** A goodbye is waited for, and a call that ends, no longer than this. */
  ending: 20_000,
};

/** How often in a row the model may fail. */
export const maxFailures = 3;

/**
 * What the agent owes in a call, and what is next: messages word by word, answers, fillers while tools run, questions into silence, the
 * goodbye, and the end. The same for calls by sound and by text. Each event that may change what is next is followed by `goOn`.
 */
export class Agenda {
  readonly messages = new MessagesToSay();
  readonly #voice: Voice;
  readonly #timers: AgendaTimers;
  readonly #look: () => void;
  #conduct: Conduct = { silenceMs: null, silencePrompts: 0, fillerMs: 1_500 };
  #owesAnswer = false;
  #owesGoodbye = false;
  #failures = 0;
  #emptyAnswers = 0;
  #tools: { hadSound: boolean } | undefined;
  #fillers = 0;
  #standsBy = false;
  #silences = 0;
  #ending: 'hang_up' | 'transfer' | undefined;
  #endsByItself = false;
  #isCommanded = false;
  #keysFor: string | undefined;

  constructor(voice: Voice, timers: AgendaTimers, look: () => void) {
    this.#voice = voice;
    this.#timers = timers;
    this.#look = look;
  }

  get owesAnswer(): boolean {
    return this.#owesAnswer;
  }

  get runsTools(): boolean {
    return this.#tools !== undefined;
  }

  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  /** Whether the agent ends the call without a tool that has said so. */
  get endsByItself(): boolean {
    return this.#endsByItself;
  }

  /** The field whose value the caller's next keys are. */
  get keysFor(): string | undefined {
    return this.#keysFor;
  }

  conductBy(conduct: Conduct): void {
    this.#conduct = conduct;
    this.#checkLater();
  }

  /** The caller has made itself heard, by words or keys. */
  heard(): void {
    this.#timers.clear('silence');
    this.#silences = 0;
  }

  owe(what: AskedFor): void {
    if (what === 'answer') this.#owesAnswer = true;
    if (what === 'goodbye') this.#owesGoodbye = true;
  }

  /** The words of the caller ask for another answer than the one that is owed. */
  oweNothing(): void {
    this.#owesAnswer = false;
  }

  // What the model makes

  /** It has said or done something. */
  hasWorked(): void {
    this.#failures = 0;
    this.#emptyAnswers = 0;
  }

  /** It had nothing to say: it is asked once more, and then the silence of the caller counts. */
  hadNothingToSay(what: AskedFor | 'say'): void {
    this.#emptyAnswers += 1;
    if (what === 'answer' && this.#emptyAnswers === 1) this.#owesAnswer = true;
  }

  /** @returns how often it has failed in a row */
  hasFailed(): number {
    this.#failures += 1;
    return this.#failures;
  }

  get failures(): number {
    return this.#failures;
  }

  // Tools

  /** @param hadSound whether the agent spoke when it made the calls */
  toolsBegin(hadSound: boolean): void {
    this.#tools = { hadSound };
    this.#fillers = 0;
    this.#fillLater(this.#conduct.fillerMs);
  }

  toolsEnd(news: BackendNews): void {
    const hadSound = this.#tools?.hadSound === true;
    this.#tools = undefined;
    this.#timers.clear('filler');
    this.#owesAnswer = true;
    this.apply(news, hadSound);
  }

  #fillLater(ms: number): void {
    this.#timers.set('filler', ms, () => this.#fill());
  }

  /** Says that it takes a moment, once nothing else is heard. */
  #fill(): void {
    const { isReady, isPlaying, isListening } = this.#voice;
    if (!isReady || isPlaying || isListening) {
      this.#fillLater(times.checkSoon);
      return;
    }
    this.#fillers += 1;
    this.#ask('filler', false);
    this.#fillLater(times.nextFiller);
  }

  // What is next

  /** Does what is next, if it is possible now. */
  goOn(): void {
    if (!this.#voice.isReady || this.#timers.isSet('retry')) return;
    if (this.#voice.isListening && this.#ending === undefined) return;
    this.#startNext();
    this.#endIfDone();
    this.#restIfIdle();
  }

  #startNext(): void {
    this.#voice.sayRest();
    const next = this.messages.take();
    if (next !== undefined) {
      this.#timers.clear('silence');
      this.#voice.say(next);
      return;
    }
    // What a message that was played leads to comes first.
    if (this.messages.isSaying) return;
    if (this.#ending !== undefined) {
      if (!this.#owesGoodbye) return;
      this.#owesGoodbye = false;
      this.#ask('goodbye', false);
      return;
    }
    if (!this.#owesAnswer || this.#standsBy) return;
    if (this.#tools !== undefined && (this.#fillers === 0 || !this.#voice.answersBesideTools)) return;
    this.#owesAnswer = false;
    this.#ask('answer', this.#tools === undefined);
  }

  #ask(what: AskedFor, withTools: boolean): void {
    this.#timers.clear('silence');
    this.#voice.ask(what, withTools);
  }

  /** The call ends once the last words were heard. */
  #endIfDone(): void {
    if (this.#ending === undefined || !this.#voice.isReady || !this.messages.isEmpty) return;
    if (this.#voice.isPlaying || this.#tools !== undefined) return;
    this.#voice.finish(this.#endReason);
  }

  get #endReason(): BridgeEndReason {
    if (this.#isCommanded) return 'commanded';
    return this.#ending === 'transfer' ? 'transfer' : 'agent_ended';
  }

  /** Silence counts from the end of what was heard. */
  #restIfIdle(): void {
    const { isReady, isPlaying, isListening } = this.#voice;
    if (!isReady || isPlaying || isListening) return;
    if (this.#owesAnswer || this.messages.isSaying || this.#tools !== undefined) return;
    if (this.#voice.rest()) return;
    const { silenceMs } = this.#conduct;
    if (silenceMs === null || this.#standsBy || this.#timers.isSet('silence')) return;
    this.#timers.set('silence', silenceMs, () => this.#askWhetherThere());
  }

  #askWhetherThere(): void {
    this.#silences += 1;
    if (this.#silences <= this.#conduct.silencePrompts) {
      this.#voice.tell(tellings.silence);
      this.#owesAnswer = true;
    } else {
      this.#voice.tell(tellings.silenceGoodbye);
      this.#endsByItself = true;
      this.#owesGoodbye = true;
      this.#endSoon('hang_up');
    }
    this.goOn();
  }

  /** The run wants the call to end: what is being said is said to its end, then goodbye. */
  hangUp(): void {
    if (this.#ending !== undefined) return;
    this.#voice.tell(tellings.mustEnd);
    this.#owesAnswer = false;
    this.#owesGoodbye = true;
    this.#isCommanded = true;
    this.#endSoon('hang_up');
    this.goOn();
  }

  #endSoon(kind: 'hang_up' | 'transfer'): void {
    if (this.#ending !== undefined) return;
    this.#ending = kind;
    this.#timers.clear('silence');
    this.#timers.set('ending', times.ending, () => this.#voice.finish(this.#endReason));
  }

  // What the domain tells

  /** @param hasSpoken whether the agent spoke when it made the calls that led to the news */
  apply(news: BackendNews, hasSpoken = false): void {
    if (!news.isCurrent) {
      this.#voice.finish('superseded');
      return;
    }
    if (news.instructions !== undefined) this.#voice.instruct(news.instructions);
    for (const note of news.notes ?? []) {
      this.#voice.reportStored(note);
      this.#owesAnswer = true;
    }
    this.messages.add(news.toSay ?? []);
    this.#keysFor = news.keysFor;
    this.#standBy(news.standsBy === true);
    if (news.ending !== undefined) this.#endWith(news.ending, hasSpoken);
    this.#checkLater();
    this.goOn();
  }

  #standBy(standsBy: boolean): void {
    if (this.#standsBy && !standsBy) this.#owesAnswer = true;
    if (standsBy && !this.#standsBy && !this.#timers.isSet('filler')) this.#fillLater(this.#conduct.fillerMs);
    this.#standsBy = standsBy;
    if (!standsBy && this.#tools === undefined) this.#timers.clear('filler');
  }

  /** Words that are being played, or will be, are the goodbye; else there is one. */
  #endWith(ending: 'hang_up' | 'transfer', hasSpoken: boolean): void {
    if (this.#ending !== undefined) return;
    this.#owesAnswer = false;
    if (!hasSpoken && !this.#voice.isSpeaking && this.messages.isEmpty) {
      this.#voice.tell(ending === 'transfer' ? tellings.transfer : tellings.goodbye);
      this.#owesGoodbye = true;
    }
    this.#endSoon(ending);
  }

  #checkLater(): void {
    this.#timers.set('look', this.#standsBy ? times.checkSoon : times.look, () => {
      // Set again by what comes back; and if nothing does.
      this.#checkLater();
      this.#look();
    });
  }
}
