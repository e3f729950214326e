import type {
  RealtimeEvent,
  RealtimeMessage,
  RealtimeSession,
  RealtimeToolCall,
} from '../../providers/realtime/realtime.js';
import { Backpressure } from './backpressure.js';
import { CallerAudio } from './caller-audio.js';
import { type Entered, KeyEntry } from './key-entry.js';
import { greetingId, MessagesToSay } from './messages-to-say.js';
import { Playback, type SpokenItem } from './playback.js';
import type {
  BridgeClock,
  BridgeEndReason,
  BridgeStop,
  CallOpening,
  CarrierStream,
  Conduct,
  Cut,
  DeskNews,
  Recorder,
  ToolAnswers,
} from './ports.js';
import { type EndedResponse, type Purpose, Responses } from './responses.js';
import { Timers } from './timers.js';
import { Transcript } from './transcript.js';
import {
  exactly,
  heardWords,
  inaudible,
  interruptedOutput,
  isListening,
  keysNote,
  resultNote,
  tellings,
} from './words.js';
import type { Work } from './work.js';

/** Milliseconds. */
const times = {
  /** The agent speaks first only once the caller can be heard, or after this. */
  firstFrame: 1_500,
  /** Speech of this length is no cough. */
  surelySpeech: 1_500,
  /** How long short speech waits for its transcript, before it counts as an interruption. */
  decide: 1_200,
  /** After the end of what was sent, marks that have not come back are not waited for. */
  marks: 3_000,
  nextFiller: 8_000,
  look: 3_000,
  lookSoon: 500,
  /** A goodbye is waited for, and a call that ends, no longer than this. */
  ending: 20_000,
  /** How long the end waits for transcripts of the caller's last words. */
  lastWords: 2_000,
  /** Before the provider ends the session, which it does after an hour. */
  session: 55 * 60_000,
  retry: 500,
};

/** Reasons of failed responses that do not pass while a call waits. */
const accountCodes: ReadonlySet<string | undefined> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'account_deactivated',
]);

const mostUntold = 50;
/** How often in a row the model may fail, or say nothing. */
const mostFailures = 3;

type TimerName =
  | 'response'
  | 'first_frame'
  | 'decide'
  | 'marks'
  | 'filler'
  | 'look'
  | 'keys'
  | 'silence'
  | 'ending'
  | 'last_words'
  | 'transcript'
  | 'drain'
  | 'session'
  | 'retry';

export interface ConversationOptions {
  stream: Pick<CarrierStream, 'sendAudio' | 'sendMark' | 'clear' | 'pause' | 'resume' | 'bufferedBytes'>;
  recorder: Pick<Recorder, 'heard' | 'spoke' | 'cleared'>;
  work: Work;
  clock: BridgeClock;
  streamBeganMs: number;
}

/** Speech of the caller that may be an interruption, while the agent's sound is held. */
interface Interruption {
  itemId: string;
  isCommitted: boolean;
}

/** What the agent speaks: a message that is stored, or words of its own. */
interface Speech {
  text: string;
  messageId: number | undefined;
  session: number;
  responseId: string;
  /** Whether the model has made all of it. */
  isDone: boolean;
}

/**
 * A call between the carrier's stream and a session of the model: what happens on either side goes in, and what has to be done goes
 * out, at once. It waits for nothing: what takes time is `Work`, and comes back as an event.
 */
export class Conversation {
  readonly #recorder: ConversationOptions['recorder'];
  readonly #work: Work;
  readonly #timers: Timers<TimerName>;
  readonly #playback: Playback;
  readonly #responses: Responses;
  readonly #backpressure: Backpressure;
  readonly #transcript = new Transcript();
  readonly #caller = new CallerAudio();
  readonly #beganAt: number;
  readonly #streamBeganMs: number;

  #session: RealtimeSession | undefined;
  #sessions = 0;
  /** What the next session is told first. */
  #untold: RealtimeMessage[] = [];
  #conduct: Conduct = { silenceMs: null, silencePrompts: 0, fillerMs: 1_500 };
  #isHeardFrom = false;
  #isOver = false;
  #end: BridgeEndReason | undefined;

  /** Whether the agent has to say something. */
  #owesAnswer = false;
  #failures = 0;
  #emptyAnswers = 0;
  readonly #messages = new MessagesToSay();
  readonly #speeches = new Map<string, Speech>();
  /** What has to wait for the end of a response that is being cancelled. */
  #afterResponse: (() => void)[] = [];

  #speaking: { itemId: string; startMs: number } | undefined;
  readonly #heardAt = new Map<string, { startMs: number; endMs: number }>();
  readonly #untranscribed = new Set<string>();
  #interruption: Interruption | undefined;
  /** The item of the caller that the current answer is for, and for nothing else. */
  #answeredItem: string | undefined;

  #tools:
    | { responseId: string; calls: readonly RealtimeToolCall[]; session: number; hadSound: boolean }
    | undefined;
  #fillers = 0;
  #standsBy = false;
  #keysFor: string | undefined;
  readonly #keys: KeyEntry;
  #keyEntries = 0;
  #silences = 0;
  #ending: 'hang_up' | 'transfer' | undefined;
  #owesGoodbye = false;
  #endsByItself = false;
  #isCommanded = false;
  #isSessionOld = false;

  constructor({ stream, recorder, work, clock, streamBeganMs }: ConversationOptions) {
    this.#recorder = recorder;
    this.#work = work;
    this.#streamBeganMs = streamBeganMs;
    this.#beganAt = clock.now();
    this.#timers = new Timers(clock);
    const output = {
      sendAudio: (payload: string) => {
        stream.sendAudio(payload);
        recorder.spoke(payload);
      },
      sendMark: (name: string) => stream.sendMark(name),
      clear: () => {
        stream.clear();
        recorder.cleared();
      },
    };
    this.#playback = new Playback(
      output,
      () => clock.now(),
      (item) => this.#played(item),
    );
    this.#responses = new Responses(this.#timers, {
      ended: (response) => this.#responseEnded(response),
      freed: () => this.#goOn(),
      stuck: () => this.#reconnect(),
    });
    this.#keys = new KeyEntry(this.#timers, (entered) => this.#entered(entered));
    this.#backpressure = new Backpressure(this.#timers, stream, () => this.#reconnect());
    this.#timers.set('first_frame', times.firstFrame, () => this.#heardFrom());
  }

  // What the carrier reports

  hear(payload: string, timestampMs: number): void {
    if (this.#isOver) return;
    this.#recorder.heard(payload, timestampMs);
    const now = this.#timers.now() - this.#beganAt;
    this.#caller.hear(payload, Number.isFinite(timestampMs) ? timestampMs : now);
    if (!this.#isHeardFrom) this.#heardFrom();
    this.#backpressure.afterHearing();
  }

  #heardFrom(): void {
    this.#isHeardFrom = true;
    this.#timers.clear('first_frame');
    this.#goOn();
  }

  marked(name: string): void {
    if (this.#isOver) return;
    this.#playback.marked(name);
    this.#goOn();
  }

  /** A key is an interruption by itself. */
  press(digit: string): void {
    if (this.#isOver || this.#ending !== undefined) return;
    this.#timers.clear('silence');
    this.#silences = 0;
    const isFirst = !this.#keys.isEntering;
    this.#keys.begin(this.#keysFor);
    if (isFirst && this.#isSpeaking) this.#interrupt(false);
    this.#keys.press(digit);
  }

  /** The value of a field goes to the domain alone: neither the model nor the transcript gets it. */
  #entered({ digits, field }: Entered): void {
    if (field !== undefined) {
      this.#work.takeKeys(field, digits);
      return;
    }
    this.#owesAnswer = true;
    if (digits !== '') this.#hearKeys(digits);
    this.#goOn();
  }

  #hearKeys(digits: string): void {
    this.#keyEntries += 1;
    const itemId = `keys_${this.#sessions}_${this.#keyEntries}`;
    const at = this.#recordingMs(this.#timers.now());
    const text = keysNote(digits);
    this.#transcript.begin(itemId);
    const said = { itemId, by: 'caller' as const, text, startMs: at, endMs: at };
    this.#transcript.settle(itemId, () => this.#work.store(said), this.#timers.now());
    this.#tell({ role: 'user', text });
  }

  keysTaken({ told, news }: { told: string; news: DeskNews }): void {
    if (this.#isOver) return;
    this.#tell({ role: 'system', text: told });
    this.#owesAnswer = true;
    this.#apply(news);
  }

  /** The stream has ended from the other side. */
  left(): void {
    this.#finish('caller_left');
  }

  stop(reason: BridgeStop): void {
    this.#finish(reason);
  }

  /** The run wants the call to end: what is being said is said to its end, then goodbye. */
  hangUp(): void {
    if (this.#isOver || this.#ending !== undefined) return;
    this.#tell({ role: 'system', text: tellings.mustEnd });
    this.#owesAnswer = false;
    this.#owesGoodbye = true;
    this.#isCommanded = true;
    this.#endSoon('hang_up');
    this.#goOn();
  }

  // The session of the model

  /** @returns the number of the session, which its events are passed on with */
  opened(session: RealtimeSession, opening: CallOpening): number {
    this.#sessions += 1;
    if (this.#isOver) {
      session.close();
      return this.#sessions;
    }
    const isFirst = this.#sessions === 1;
    this.#session = session;
    this.#isSessionOld = false;
    this.#conduct = opening.conduct;
    this.#responses.connect(session);
    this.#backpressure.connect(session);
    for (const { text } of isFirst ? [] : this.#speeches.values()) {
      if (text !== '') this.#tell({ role: 'assistant', text });
    }
    for (const message of this.#untold.splice(0)) session.addMessage(message);
    if (isFirst && opening.greeting !== undefined) {
      this.#messages.add([{ messageId: greetingId, text: opening.greeting }]);
    } else if (isFirst && opening.firstWords !== undefined) {
      this.#tell({ role: 'system', text: opening.firstWords });
      this.#owesAnswer = true;
    } else if (!isFirst && this.#owesAnswer) this.#tell({ role: 'system', text: tellings.goOn });
    this.#caller.connect(session);
    this.#timers.set('session', times.session, () => {
      this.#isSessionOld = true;
      this.#goOn();
    });
    this.#lookLater();
    this.#apply(opening.news);
    return this.#sessions;
  }

  /** No session can be had. */
  refused(): void {
    this.#finish('model_lost');
  }

  take(session: number, event: RealtimeEvent): void {
    if (session !== this.#sessions || this.#session === undefined) return;
    switch (event.type) {
      case 'audio':
        this.#takeAudio(event);
        break;
      case 'spoken':
        this.#takeWords(event);
        break;
      case 'transcribed':
        if (event.usage !== undefined) this.#work.bookTranscription(event.itemId, event.usage);
        this.#transcribed(event.itemId, event.text.trim());
        break;
      case 'not_transcribed':
        this.#transcribed(event.itemId, inaudible);
        break;
      case 'closed':
        this.#lostSession();
        break;
      case 'response_ended':
        this.#responses.ended(event);
        break;
      default:
        if (!this.#isOver) this.#takeTurn(event);
    }
  }

  #takeTurn(
    event: Exclude<
      RealtimeEvent,
      {
        type: 'audio' | 'spoken' | 'transcribed' | 'not_transcribed' | 'closed' | 'response_ended';
      }
    >,
  ): void {
    switch (event.type) {
      case 'speech_started':
        this.#speechStarted(event.itemId, event.atMs);
        break;
      case 'speech_stopped':
        this.#speechStopped(event.itemId, event.atMs);
        break;
      case 'heard':
        this.#committed(event.itemId);
        break;
      case 'response_begun':
        this.#responses.begun(event);
        break;
      case 'item_begun':
        if (this.#responses.progress(event.responseId, false) && event.kind === 'message') {
          this.#beginSpeech(event.itemId, event.responseId);
        }
        break;
      case 'refused':
        this.#responses.refused(event);
        break;
    }
  }

  #takeAudio({ responseId, itemId, payload }: Extract<RealtimeEvent, { type: 'audio' }>): void {
    if (this.#isOver || !this.#responses.progress(responseId, true)) return;
    this.#beginSpeech(itemId, responseId);
    this.#playback.play(itemId, responseId, payload);
    this.#watchMarks();
    this.#backpressure.afterSpeaking();
  }

  #takeWords({ responseId, itemId, text, isWhole }: Extract<RealtimeEvent, { type: 'spoken' }>): void {
    const speech = this.#speeches.get(itemId);
    // Words of an item that was cut off belong to what would have been said, and come too late for it.
    if (speech === undefined || !this.#responses.progress(responseId, false)) return;
    speech.text = isWhole ? text : speech.text + text;
  }

  #beginSpeech(itemId: string, responseId: string): void {
    if (this.#speeches.has(itemId)) return;
    const purpose = this.#responses.current?.purpose;
    const messageId = purpose?.kind === 'say' ? purpose.messageId : undefined;
    this.#speeches.set(itemId, { text: '', messageId, session: this.#sessions, responseId, isDone: false });
    this.#transcript.begin(itemId);
    this.#playback.begin(itemId, responseId);
  }

  // The caller speaks

  /** The sound stops at once; whether it was an interruption is decided by what is said. */
  #speechStarted(itemId: string, atMs: number): void {
    this.#timers.clear('silence');
    this.#speaking = { itemId, startMs: this.#caller.streamTime(atMs) };
    // A goodbye is said to its end.
    if (this.#ending !== undefined) return;
    if (this.#interruption !== undefined) {
      this.#interrupt(this.#interruption.isCommitted);
      return;
    }
    if (!this.#isSpeaking) return;
    this.#playback.hold();
    this.#interruption = { itemId, isCommitted: false };
    this.#timers.set('decide', times.surelySpeech, () => this.#interrupt(false));
  }

  #speechStopped(itemId: string, atMs: number): void {
    const startMs = this.#speaking?.itemId === itemId ? this.#speaking.startMs : undefined;
    this.#speaking = undefined;
    const endMs = this.#caller.streamTime(atMs);
    this.#heardAt.set(itemId, { startMs: startMs ?? endMs, endMs });
    if (this.#interruption?.itemId !== itemId) return;
    this.#timers.set('decide', times.decide, () => this.#interrupt(true));
  }

  #committed(itemId: string): void {
    this.#silences = 0;
    this.#untranscribed.add(itemId);
    this.#transcript.beginHeard(itemId, this.#timers.now());
    this.#flushLater();
    if (this.#interruption?.itemId === itemId) {
      this.#interruption.isCommitted = true;
      return;
    }
    const owesNothing = !this.#owesAnswer && this.#tools === undefined && this.#responses.isFree;
    this.#answeredItem = owesNothing ? itemId : undefined;
    this.#owesAnswer = true;
    this.#goOn();
  }

  /** A noise that nobody waited for is not answered, unless the answer is heard already. */
  #ignoreNoise(itemId: string): void {
    const { current } = this.#responses;
    if (this.#answeredItem !== itemId || current?.purpose.kind !== 'answer' || current.hadSound) return;
    this.#answeredItem = undefined;
    this.#responses.cancel('interruption');
    this.#session?.deleteItem(itemId);
  }

  #transcribed(itemId: string, text: string): void {
    this.#untranscribed.delete(itemId);
    const at = this.#heardAt.get(itemId);
    this.#heardAt.delete(itemId);
    if (text === '') this.#transcript.forget(itemId, this.#timers.now());
    else {
      const now = this.#timers.now() - this.#beganAt;
      const { startMs, endMs } = at ?? { startMs: now, endMs: now };
      const said = { itemId, by: 'caller' as const, text, ...this.#inRecording(startMs, endMs) };
      this.#transcript.settle(itemId, () => this.#work.store(said), this.#timers.now());
    }
    if (this.#isOver) {
      this.#closeWhenHeard();
      return;
    }
    this.#flushLater();
    if (text === '') this.#ignoreNoise(itemId);
    if (this.#interruption?.itemId !== itemId) return;
    if (isListening(text)) this.#falseAlarm(itemId);
    else this.#interrupt(true);
  }

  /** The caller has coughed, or listens: the agent goes on where it was, and the model does not hear of it. */
  #falseAlarm(itemId: string): void {
    if (this.#interruption?.isCommitted === true) this.#session?.deleteItem(itemId);
    this.#interruption = undefined;
    this.#timers.clear('decide');
    this.#playback.resume();
    this.#watchMarks();
    this.#goOn();
  }

  /** @param owesAnswer whether what was said is an item already */
  #interrupt(owesAnswer: boolean): void {
    this.#interruption = undefined;
    this.#timers.clear('decide');
    const purpose = this.#responses.current?.purpose;
    if (purpose?.kind === 'say' && !this.#isSpoken(purpose.messageId)) {
      this.#messages.sayAgain(purpose.messageId);
    }
    this.#responses.cancel('interruption');
    for (const item of this.#playback.drop()) this.#cutOff(item, 'interrupted');
    this.#owesAnswer ||= owesAnswer;
    this.#goOn();
  }

  /** Tells the model, and the transcript, how much of an item was heard. */
  #cutOff(item: SpokenItem, reason: Cut['reason']): void {
    const speech = this.#speeches.get(item.itemId);
    this.#speeches.delete(item.itemId);
    if (speech === undefined) return;
    const playedMs = Math.floor(item.playedMs);
    const isKnown = speech.session === this.#sessions && this.#session !== undefined;
    if (isKnown && reason === 'interrupted') {
      this.#onceEnded(item.responseId, () => {
        if (playedMs > 0) this.#session?.truncate(item.itemId, playedMs);
        else this.#session?.deleteItem(item.itemId);
      });
    }
    const words = heardWords(speech.text, playedMs, item.madeMs);
    const { messageId } = speech;
    if (messageId === greetingId && words !== '') this.#messages.settle(messageId);
    else if (messageId !== undefined) {
      this.#saidPart(messageId, item, words, reason);
      return;
    }
    if (words === '') this.#transcript.forget(item.itemId, this.#timers.now());
    else {
      const cut = { whole: speech.text.trim(), reason, atMs: playedMs };
      const said = { itemId: item.itemId, by: 'agent' as const, text: words, cut, ...this.#spanOf(item) };
      this.#transcript.settle(item.itemId, () => this.#work.store(said), this.#timers.now());
    }
  }

  /** A message of which nothing was heard is said again; another one counts as said. */
  #saidPart(messageId: number, item: SpokenItem, words: string, reason: Cut['reason']): void {
    this.#transcript.forget(item.itemId, this.#timers.now());
    if (words === '') {
      this.#messages.sayAgain(messageId);
      return;
    }
    const whole = this.#messages.textOf(messageId);
    const cut = { whole, reason, atMs: Math.floor(item.playedMs) };
    this.#work.played(messageId, { text: words, cut, ...this.#spanOf(item) });
  }

  /** A session refuses changes of an item that it is making. */
  #onceEnded(responseId: string, act: () => void): void {
    if (this.#responses.current?.id === responseId) this.#afterResponse.push(act);
    else act();
  }

  /** All of an item was played. */
  #played(item: SpokenItem): void {
    const speech = this.#speeches.get(item.itemId);
    this.#speeches.delete(item.itemId);
    if (speech === undefined) return;
    const now = this.#timers.now();
    const text = speech.text.trim();
    const span = this.#spanOf(item);
    const { messageId } = speech;
    const isGreeting = messageId === greetingId && speech.isDone;
    if (isGreeting) this.#messages.settle(greetingId);
    if (messageId !== undefined && !isGreeting) {
      this.#transcript.forget(item.itemId, now);
      // A session that was lost in the middle of a message has said a part of it.
      if (speech.isDone) this.#work.played(messageId, { text, ...span });
      else this.#messages.sayAgain(messageId);
    } else if (text === '') this.#transcript.forget(item.itemId, now);
    else {
      const said = { itemId: item.itemId, by: 'agent' as const, text, ...span };
      this.#transcript.settle(item.itemId, () => this.#work.store(said), now);
    }
  }

  #spanOf({ startedAt, playedMs }: SpokenItem) {
    const start = (startedAt ?? this.#timers.now()) - this.#beganAt;
    return this.#inRecording(start, start + playedMs);
  }

  #inRecording(startMs: number, endMs: number) {
    return {
      startMs: Math.round(this.#streamBeganMs + startMs),
      endMs: Math.round(this.#streamBeganMs + endMs),
    };
  }

  #recordingMs(clockMs: number): number {
    return this.#inRecording(clockMs - this.#beganAt, 0).startMs;
  }

  // The agent speaks

  #responseEnded(response: EndedResponse): void {
    const { responseId, usage } = response;
    if (responseId !== undefined && usage !== undefined) this.#work.bookResponse({ responseId, ...usage });
    const isDone = response.status === 'completed' || response.status === 'incomplete';
    for (const speech of this.#speeches.values())
      if (speech.responseId === responseId) speech.isDone = isDone;
    if (responseId !== undefined) this.#playback.finish(responseId);
    for (const act of this.#afterResponse.splice(0)) act();
    if (this.#isOver) return;
    const runs = isDone && this.#tools === undefined && response.calls.length > 0;
    for (const callId of response.brokenCallIds) this.#session?.addToolOutput(callId, interruptedOutput);
    if (runs && responseId !== undefined) this.#runTools(responseId, response);
    else for (const { callId } of response.calls) this.#session?.addToolOutput(callId, interruptedOutput);
    if (isDone && (response.hadSound || runs)) {
      this.#failures = 0;
      this.#emptyAnswers = 0;
    } else if (response.status === 'completed') this.#askOnceMore(response);
    else if (response.cancelledFor !== 'interruption') this.#tryAgain(response);
    this.#goOn();
  }

  /** The model had nothing to say. It is asked once more, and then the silence of the caller counts. */
  #askOnceMore({ purpose }: EndedResponse): void {
    if (purpose.kind === 'say') this.#messages.sayAgain(purpose.messageId);
    this.#emptyAnswers += 1;
    if (purpose.kind === 'answer' && this.#emptyAnswers === 1) this.#owesAnswer = true;
  }

  /** The model has failed, made no sound, or was busy with something else: what it owes is asked for again. */
  #tryAgain({ purpose, status, reason }: EndedResponse): void {
    if (reason !== 'conversation_already_has_active_response') this.#failures += 1;
    if (purpose.kind === 'say' && !this.#isSpoken(purpose.messageId))
      this.#messages.sayAgain(purpose.messageId);
    else if (purpose.kind === 'goodbye') this.#owesGoodbye = true;
    else if (purpose.kind === 'answer') this.#owesAnswer = true;
    if (status === 'failed') this.#timers.set('retry', times.retry, () => this.#goOn());
    if (this.#failures < mostFailures && !accountCodes.has(reason)) return;
    if (status === 'failed') this.#finish('model_lost');
    else if (this.#failures === mostFailures) this.#reconnect();
    else this.#finish('model_lost');
  }

  #runTools(responseId: string, { calls, hadSound }: EndedResponse): void {
    this.#tools = { responseId, calls, session: this.#sessions, hadSound };
    this.#fillers = 0;
    this.#fillLater(this.#conduct.fillerMs);
    this.#work.runTools(responseId, calls);
  }

  /** Each call gets an output, in the session that made it; a later session is told the result. */
  toolsDone(responseId: string, { outputs, news }: ToolAnswers): void {
    const tools = this.#tools;
    if (this.#isOver || tools?.responseId !== responseId) return;
    this.#tools = undefined;
    this.#timers.clear('filler');
    for (const { callId, output } of outputs) {
      if (tools.session === this.#sessions) this.#session?.addToolOutput(callId, output);
      else {
        const name = tools.calls.find((call) => call.callId === callId)?.name ?? 'a tool';
        this.#tell({ role: 'system', text: resultNote(name, output) });
      }
    }
    this.#owesAnswer = true;
    this.#apply(news, tools.hadSound);
  }

  #fillLater(ms: number): void {
    this.#timers.set('filler', ms, () => this.#fill());
  }

  /** Says that it takes a moment, once nothing else is heard. */
  #fill(): void {
    const isQuiet = this.#responses.isFree && !this.#playback.isPlaying && !this.#isListening;
    if (!isQuiet || this.#session === undefined) {
      this.#fillLater(times.lookSoon);
      return;
    }
    this.#fillers += 1;
    this.#start({ kind: 'filler' }, { instructions: tellings.filler, withTools: false });
    if (this.#tools !== undefined) this.#fillLater(times.nextFiller);
  }

  /** Whether the agent is heard, or will be. */
  get #isSpeaking(): boolean {
    if (this.#playback.isPlaying) return true;
    const { current } = this.#responses;
    return current !== undefined && current.phase !== 'cancelling';
  }

  get #isListening(): boolean {
    return this.#speaking !== undefined || this.#interruption !== undefined || this.#keys.isEntering;
  }

  #start(purpose: Purpose, options: { instructions?: string; withTools?: boolean } = {}): void {
    this.#timers.clear('silence');
    this.#responses.start(purpose, options);
  }

  /** Does what is next, if it is possible now. */
  #goOn(): void {
    if (this.#isOver || this.#session === undefined || !this.#isHeardFrom) return;
    if (!this.#responses.isFree || this.#timers.isSet('retry')) return;
    if (this.#isListening && this.#ending === undefined) return;
    this.#startNext();
    this.#endIfDone();
    this.#restIfIdle();
  }

  #startNext(): void {
    const next = this.#messages.take();
    if (next !== undefined) {
      this.#start({ kind: 'say', ...next }, { instructions: exactly(next.text), withTools: false });
      return;
    }
    // What a message that was played leads to comes first.
    if (this.#messages.isSaying) return;
    if (this.#ending !== undefined) {
      if (!this.#owesGoodbye) return;
      this.#owesGoodbye = false;
      this.#start({ kind: 'goodbye' }, { withTools: false });
      return;
    }
    if (!this.#owesAnswer || this.#standsBy) return;
    if (this.#tools !== undefined && this.#fillers === 0) return;
    this.#owesAnswer = false;
    this.#start({ kind: 'answer' }, this.#tools === undefined ? {} : { withTools: false });
  }

  /** The call ends once the last words were played. */
  #endIfDone(): void {
    if (this.#ending === undefined || !this.#responses.isFree || this.#messages.isSaying) return;
    if (this.#playback.isPlaying || this.#tools !== undefined) return;
    this.#finish(this.#endReason);
  }

  get #endReason(): BridgeEndReason {
    if (this.#isCommanded) return 'commanded';
    return this.#ending === 'transfer' ? 'transfer' : 'agent_ended';
  }

  /** Silence counts from the end of what was played. */
  #restIfIdle(): void {
    if (this.#isOver || !this.#responses.isFree || this.#playback.isPlaying || this.#isListening) return;
    if (this.#owesAnswer || this.#messages.isSaying || this.#tools !== undefined) return;
    if (this.#isSessionOld) {
      this.#reconnect();
      return;
    }
    const { silenceMs } = this.#conduct;
    if (silenceMs === null || this.#standsBy || this.#timers.isSet('silence')) return;
    this.#timers.set('silence', silenceMs, () => this.#askWhetherThere());
  }

  #askWhetherThere(): void {
    this.#silences += 1;
    if (this.#silences <= this.#conduct.silencePrompts) {
      this.#tell({ role: 'system', text: tellings.silence });
      this.#owesAnswer = true;
    } else {
      this.#tell({ role: 'system', text: tellings.silenceGoodbye });
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
    if (this.#isOver) return;
    this.#apply(news);
  }

  /** Stores that a message was played have come back. */
  said(messageId: number, news: DeskNews): void {
    this.#messages.settle(messageId);
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
    if (news.instructions !== undefined) this.#session?.instruct(news.instructions);
    for (const text of news.notes ?? []) {
      this.#tell({ role: 'system', text });
      this.#owesAnswer = true;
    }
    this.#messages.add(news.toSay ?? []);
    this.#keysFor = news.keysFor;
    const standsBy = news.standsBy === true;
    if (this.#standsBy && !standsBy) this.#owesAnswer = true;
    if (standsBy && !this.#standsBy && !this.#timers.isSet('filler')) {
      this.#fillLater(this.#conduct.fillerMs);
    }
    this.#standsBy = standsBy;
    if (!standsBy && this.#tools === undefined) this.#timers.clear('filler');
    if (news.ending !== undefined) this.#endWith(news.ending, hasSpoken);
    this.#lookLater();
    this.#goOn();
  }

  /** Words that are being played, or will be, are the goodbye; else there is one. */
  #endWith(ending: 'hang_up' | 'transfer', hasSpoken: boolean): void {
    if (this.#ending !== undefined) return;
    this.#owesAnswer = false;
    if (!hasSpoken && !this.#isSpeaking && this.#messages.isEmpty) {
      this.#tell({ role: 'system', text: ending === 'transfer' ? tellings.transfer : tellings.goodbye });
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

  /** Kept for the next session, if there is none. */
  #tell(message: RealtimeMessage): void {
    if (this.#session !== undefined) this.#session.addMessage(message);
    else if (this.#untold.length < mostUntold) this.#untold.push(message);
  }

  // What can go wrong

  #watchMarks(): void {
    if (this.#timers.isSet('marks') || this.#playback.isHeld) return;
    this.#timers.set('marks', this.#playback.until - this.#timers.now() + times.marks, () => {
      if (!this.#playback.isPlaying) return;
      if (this.#playback.until > this.#timers.now()) this.#watchMarks();
      else this.#playback.assumePlayed();
      this.#goOn();
    });
  }

  #flushLater(): void {
    const until = this.#transcript.flush(this.#timers.now());
    if (until === undefined) this.#timers.clear('transcript');
    else this.#timers.set('transcript', until - this.#timers.now(), () => this.#flushLater());
  }

  #reconnect(): void {
    const session = this.#session;
    this.#lostSession();
    session?.close();
  }

  /** What the carrier has is played on; what the model owes is owed by the next session. */
  #lostSession(): void {
    if (this.#session === undefined) return;
    this.#session = undefined;
    this.#caller.disconnect();
    this.#timers.clear('session');
    if (this.#isOver) {
      this.#close();
      return;
    }
    const responseId = this.#responses.current?.id;
    const purpose = this.#responses.disconnect();
    this.#afterResponse = [];
    this.#speaking = undefined;
    this.#interruption = undefined;
    this.#timers.clear('decide');
    this.#timers.clear('silence');
    // From here on, messages in the middle of which the session was lost are of an earlier one.
    this.#sessions += 1;
    this.#playback.resume();
    if (responseId !== undefined) this.#playback.finish(responseId);
    if (purpose?.kind === 'answer') this.#owesAnswer = true;
    if (purpose?.kind === 'goodbye') this.#owesGoodbye = true;
    if (purpose?.kind === 'say' && !this.#isSpoken(purpose.messageId))
      this.#messages.sayAgain(purpose.messageId);
    this.#backpressure.disconnect();
    this.#work.connect();
  }

  #isSpoken(messageId: number): boolean {
    return [...this.#speeches.values()].some((speech) => speech.messageId === messageId);
  }

  // The end

  #finish(reason: BridgeEndReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end = reason;
    this.#timers.clearAll();
    for (const item of this.#playback.drop()) this.#cutOff(item, 'call_ended');
    this.#work.leave(reason, this.#endsByItself);
    this.#timers.set('last_words', times.lastWords, () => this.#close());
    this.#closeWhenHeard();
  }

  #closeWhenHeard(): void {
    if (this.#session === undefined || !this.#transcript.isAwaiting(this.#untranscribed)) this.#close();
  }

  #close(): void {
    if (this.#end === undefined) return;
    const reason = this.#end;
    this.#end = undefined;
    this.#timers.clearAll();
    this.#transcript.flushAll();
    this.#session?.close();
    this.#session = undefined;
    this.#work.closed(reason);
  }
}
