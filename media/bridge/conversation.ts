import type {
  RealtimeEvent,
  RealtimeInstructions,
  RealtimeMessage,
  RealtimeSession,
  RealtimeToolCall,
} from '../../providers/realtime/realtime.js';
import { Agenda, type AgendaTimer, type AskedFor, mostFailures, type Voice } from './agenda.js';
import { Backpressure } from './backpressure.js';
import { CallerAudio } from './caller-audio.js';
import { Hearing, type HearingListener } from './hearing.js';
import { type Entered, KeyEntry } from './key-entry.js';
import { greetingId } from './messages-to-say.js';
import { Playback, type SpokenItem } from './playback.js';
import type {
  BridgeClock,
  BridgeEndReason,
  BridgeStop,
  CallOpening,
  CarrierStream,
  Cut,
  DeskNews,
  Recorder,
  ToolAnswers,
  ToSay,
} from './ports.js';
import { RecordingTime } from './recording-time.js';
import { type EndedResponse, type Purpose, Responses } from './responses.js';
import { SpokenItems } from './spoken-items.js';
import { Timers } from './timers.js';
import { Transcript } from './transcript.js';
import { UsageEstimate } from './usage-estimate.js';
import { exactly, inaudible, interruptedOutput, keysNote, resultNote, tellings } from './words.js';
import type { Work } from './work.js';

/** Milliseconds. */
const times = {
  /** The agent speaks first only once the caller can be heard, or after this. */
  firstFrame: 1_500,
  /** After the end of what was sent, marks that have not come back are not waited for. */
  marks: 3_000,
  /** How long the end waits for transcripts of the caller's last words. */
  lastWords: 2_000,
  /** Before the provider ends the session, which it does after an hour. */
  session: 55 * 60_000,
  /** A session that is lost so soon after it was opened may be lost in the same way the next time. */
  sudden: 10_000,
  retry: 500,
};

/** Reasons of failed responses that do not pass while a call waits. */
const accountCodes: ReadonlySet<string | undefined> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'account_deactivated',
]);

const mostUntold = 50;

type TimerName =
  | AgendaTimer
  | 'response'
  | 'first_frame'
  | 'speech'
  | 'decide'
  | 'marks'
  | 'keys'
  | 'last_words'
  | 'transcript'
  | 'drain'
  | 'session';

export interface ConversationOptions {
  stream: Pick<CarrierStream, 'sendAudio' | 'sendMark' | 'clear' | 'pause' | 'resume' | 'bufferedBytes'>;
  recorder: Pick<Recorder, 'heard' | 'spoke' | 'cleared'>;
  work: Work;
  clock: BridgeClock;
  /** When the stream began, by the clock. */
  beganAt: number;
  streamBeganMs: number;
}

/**
 * A call between the carrier's stream and a session of the model: what happens on either side goes in, and what has to be done goes
 * out, at once. It waits for nothing: what takes time is `Work`, and comes back as an event. What is said next is decided by the `Agenda`,
 * who interrupts whom by `Hearing`.
 */
export class Conversation implements Voice, HearingListener {
  readonly #recorder: ConversationOptions['recorder'];
  readonly #work: Work;
  readonly #timers: Timers<TimerName>;
  readonly #time: RecordingTime;
  readonly #agenda: Agenda;
  readonly #playback: Playback;
  readonly #spoken: SpokenItems;
  readonly #responses: Responses;
  readonly #backpressure: Backpressure;
  readonly #transcript = new Transcript();
  readonly #estimate = new UsageEstimate();
  readonly #caller = new CallerAudio();
  readonly #hearing: Hearing;
  readonly #keys: KeyEntry;
  #keyEntries = 0;

  #session: RealtimeSession | undefined;
  #sessions = 0;
  #isSessionOld = false;
  #openedAt = 0;
  /** How many in a row have failed, and ended no response that had sound or called a tool. */
  #failedSessions = 0;
  /** Whether the agent has begun to say something. */
  #hasSpoken = false;
  /** What the next session is told first. */
  #untold: RealtimeMessage[] = [];
  #isHeardFrom = false;
  #isOver = false;
  #end: BridgeEndReason | undefined;

  /** What has to wait for the end of a response that is being cancelled. */
  #afterResponse: (() => void)[] = [];
  /** The item of the caller that the current answer is for, and for nothing else. */
  #answeredItem: string | undefined;
  #tools: { responseId: string; calls: readonly RealtimeToolCall[]; session: number } | undefined;

  readonly answersBesideTools = true;

  constructor({ stream, recorder, work, clock, beganAt, streamBeganMs }: ConversationOptions) {
    this.#recorder = recorder;
    this.#work = work;
    this.#timers = new Timers(clock);
    this.#time = new RecordingTime(beganAt, streamBeganMs);
    this.#agenda = new Agenda(this, this.#timers, () => work.look());
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
    const now = () => clock.now();
    const [time, timers, transcript] = [this.#time, this.#timers, this.#transcript];
    this.#spoken = new SpokenItems({ transcript, messages: this.#agenda.messages, work, time, now });
    this.#playback = new Playback(output, now, (item) => this.#spoken.played(item));
    this.#responses = new Responses(timers, {
      ended: (response) => this.#responseEnded(response),
      freed: () => this.#agenda.goOn(),
      stuck: () => this.#replaceFailed(),
    });
    const store: Work['store'] = (said) => work.store(said);
    this.#hearing = new Hearing({ timers, audio: this.#caller, transcript, time, store, listener: this });
    this.#keys = new KeyEntry(timers, (entered) => this.#entered(entered));
    this.#backpressure = new Backpressure(timers, stream, () => this.#replaceFailed());
    timers.set('first_frame', times.firstFrame, () => this.#heardFrom());
  }

  // What the carrier reports

  hear(payload: string, timestampMs: number): void {
    if (this.#isOver) return;
    this.#recorder.heard(payload, timestampMs);
    const now = this.#time.inStream(this.#timers.now());
    this.#caller.hear(payload, Number.isFinite(timestampMs) ? timestampMs : now);
    if (!this.#isHeardFrom) this.#heardFrom();
    this.#backpressure.afterHearing();
  }

  #heardFrom(): void {
    this.#isHeardFrom = true;
    this.#timers.clear('first_frame');
    this.#agenda.goOn();
  }

  marked(name: string): void {
    if (this.#isOver) return;
    this.#playback.marked(name);
    this.#agenda.goOn();
  }

  /** A key is an interruption by itself. */
  press(digit: string): void {
    if (this.#isOver || this.#agenda.isEnding) return;
    this.#agenda.heard();
    const isFirst = !this.#keys.isEntering;
    this.#keys.begin(this.#agenda.keysFor);
    if (isFirst && this.isSpeaking) {
      this.#hearing.forget();
      this.interrupted(false);
    }
    this.#keys.press(digit);
  }

  /** The value of a field goes to the domain alone: neither the model nor the transcript gets it. */
  #entered({ digits, field = this.#agenda.keysFor }: Entered): void {
    if (field !== undefined) {
      this.#work.takeKeys(field, digits);
      return;
    }
    this.#agenda.owe('answer');
    if (digits !== '') this.#hearKeys(digits);
    this.#agenda.goOn();
  }

  #hearKeys(digits: string): void {
    this.#keyEntries += 1;
    const itemId = `keys_${this.#sessions}_${this.#keyEntries}`;
    const now = this.#timers.now();
    const text = keysNote(digits);
    this.#transcript.begin(itemId);
    const said = { itemId, by: 'caller' as const, text, ...this.#time.spanOfClock(now, now) };
    this.#transcript.settle(itemId, () => this.#work.store(said), now);
    this.#tell({ role: 'user', text });
  }

  keysTaken({ told, news }: { told: string; news: DeskNews }): void {
    if (this.#isOver) return;
    this.tell(told);
    this.#agenda.owe('answer');
    this.#agenda.apply(news);
  }

  /** The stream has ended from the other side. */
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

  // The session of the model

  /** @returns the number of the session, which its events are passed on with */
  opened(session: RealtimeSession, opening: CallOpening): number {
    this.#sessions += 1;
    if (this.#isOver) {
      session.close();
      return this.#sessions;
    }
    this.#session = session;
    this.#isSessionOld = false;
    this.#openedAt = this.#timers.now();
    this.#responses.connect(session);
    this.#backpressure.connect(session);
    this.#estimate.opened(opening.settings);
    if (this.#sessions === 1) this.#begin(opening);
    else this.#resume(opening);
    this.#caller.connect(session);
    this.#timers.set('session', times.session, () => {
      this.#isSessionOld = true;
      this.#agenda.goOn();
    });
    this.#agenda.conductBy(opening.conduct);
    this.#agenda.apply(opening.news);
    return this.#sessions;
  }

  #begin({ firstWords, greeting }: CallOpening): void {
    this.#tellUntold();
    if (greeting !== undefined) this.#agenda.messages.add([{ messageId: greetingId, text: greeting }]);
    else if (firstWords !== undefined) {
      this.tell(firstWords);
      this.#agenda.owe('answer');
    }
  }

  #resume({ firstWords, greeting }: CallOpening): void {
    for (const text of this.#spoken.texts) this.#tell({ role: 'assistant', text });
    this.#tellUntold();
    if (!this.#agenda.owesAnswer) return;
    const isBegun = this.#hasSpoken || greeting !== undefined;
    this.tell(isBegun ? tellings.goOn : (firstWords ?? tellings.goOn));
  }

  #tellUntold(): void {
    for (const message of this.#untold.splice(0)) this.#session?.addMessage(message);
  }

  /** No session can be had. */
  refused(): void {
    this.finish('model_lost');
  }

  take(session: number, event: RealtimeEvent): void {
    if (session !== this.#sessions || this.#session === undefined) return;
    switch (event.type) {
      case 'audio':
        this.#takeAudio(event);
        break;
      case 'spoken':
        // Words of an item that was cut off belong to what would have been said, and come too late for it.
        if (this.#spoken.has(event.itemId) && this.#responses.progress(event.responseId, false)) {
          this.#spoken.addWords(event.itemId, event.text, event.isWhole);
        }
        break;
      case 'transcribed':
        if (event.usage !== undefined) this.#work.bookTranscription(event.itemId, event.usage);
        this.#transcribed(event.itemId, event.text.trim());
        break;
      case 'not_transcribed':
        this.#transcribed(event.itemId, inaudible);
        break;
      case 'closed':
        this.#brokeOff();
        break;
      case 'response_ended':
        this.#responses.ended(event);
        break;
      default:
        if (!this.#isOver) this.#takeTurn(event);
    }
  }

  #takeTurn(event: TurnEvent): void {
    switch (event.type) {
      case 'speech_started':
        this.#timers.clear('silence');
        this.#hearing.started(event.itemId, event.atMs);
        break;
      case 'speech_stopped':
        this.#hearing.stopped(event.itemId, event.atMs);
        break;
      case 'heard':
        this.#agenda.heard();
        this.#hearing.committed(event.itemId);
        break;
      case 'response_begun':
        this.#responses.begun(event);
        break;
      case 'item_begun':
        if (this.#responses.progress(event.responseId, false) && event.kind === 'message') {
          this.#beginItem(event.itemId, event.responseId);
        }
        break;
      case 'refused':
        if (!this.#responses.refused(event)) this.#work.refused(event.code);
        break;
    }
  }

  #takeAudio({ responseId, itemId, payload }: Extract<RealtimeEvent, { type: 'audio' }>): void {
    this.#estimate.spoke(responseId, payload);
    if (this.#isOver || !this.#responses.progress(responseId, true)) return;
    this.#beginItem(itemId, responseId);
    this.#playback.play(itemId, responseId, payload);
    this.#watchMarks();
    this.#backpressure.afterSpeaking();
  }

  #beginItem(itemId: string, responseId: string): void {
    if (this.#spoken.has(itemId)) return;
    this.#hasSpoken = true;
    const purpose = this.#responses.current?.purpose;
    const messageId = purpose?.kind === 'say' ? purpose.messageId : undefined;
    this.#spoken.begin(itemId, { messageId, session: this.#sessions, responseId });
    this.#playback.begin(itemId, responseId);
  }

  #transcribed(itemId: string, text: string): void {
    this.#hearing.transcribed(itemId, text, this.#isOver);
    if (this.#isOver) this.#closeWhenHeard();
  }

  // What was heard of the caller

  get isEnding(): boolean {
    return this.#agenda.isEnding;
  }

  hold(): void {
    this.#playback.hold();
  }

  said(itemId: string): void {
    const owesNothing = !this.#agenda.owesAnswer && !this.#agenda.runsTools && this.#responses.isFree;
    this.#answeredItem = owesNothing ? itemId : undefined;
    this.#agenda.owe('answer');
    this.#agenda.goOn();
  }

  spokeTooLong(): void {
    this.#agenda.goOn();
  }

  /** A noise that nobody waited for is not answered, unless the answer is heard already. */
  wasNoise(itemId: string): void {
    const { current } = this.#responses;
    if (this.#answeredItem !== itemId || current?.purpose.kind !== 'answer' || current.hadSound) return;
    this.#answeredItem = undefined;
    this.#responses.cancel('interruption');
    this.#session?.deleteItem(itemId);
  }

  /** The caller has coughed, or listens: the agent goes on where it was, and the model does not hear of it. */
  notInterrupted(itemId: string | undefined): void {
    if (itemId !== undefined) this.#session?.deleteItem(itemId);
    this.#playback.resume();
    this.#watchMarks();
    this.#agenda.goOn();
  }

  interrupted(isItem: boolean): void {
    const purpose = this.#responses.current?.purpose;
    if (purpose?.kind === 'say') this.#sayAgain(purpose.messageId);
    this.#responses.cancel('interruption');
    for (const item of this.#playback.drop()) this.#cutOff(item, 'interrupted');
    if (isItem) this.#agenda.owe('answer');
    this.#agenda.goOn();
  }

  /** Tells the model, and the transcript, how much of an item was heard. */
  #cutOff(item: SpokenItem, reason: Cut['reason']): void {
    const { itemId, responseId } = item;
    const playedMs = Math.floor(item.playedMs);
    const isKnown = this.#session !== undefined && this.#spoken.sessionOf(itemId) === this.#sessions;
    if (isKnown && reason === 'interrupted') {
      this.#onceEnded(responseId, () => {
        if (playedMs > 0) this.#session?.truncate(itemId, playedMs);
        else this.#session?.deleteItem(itemId);
      });
    }
    this.#spoken.cutOff(item, reason);
  }

  /** A session refuses changes of an item that it is making. */
  #onceEnded(responseId: string, act: () => void): void {
    if (this.#responses.current?.id === responseId) this.#afterResponse.push(act);
    else act();
  }

  // The agent speaks

  get isReady(): boolean {
    return !this.#isOver && this.#session !== undefined && this.#isHeardFrom && this.#responses.isFree;
  }

  get isPlaying(): boolean {
    return this.#playback.isPlaying;
  }

  get isSpeaking(): boolean {
    if (this.#playback.isPlaying) return true;
    const { current } = this.#responses;
    return current !== undefined && current.phase !== 'cancelling';
  }

  get isListening(): boolean {
    return this.#hearing.isActive || this.#keys.isEntering;
  }

  say({ messageId, text }: ToSay): void {
    this.#responses.start(
      { kind: 'say', messageId, text },
      { instructions: exactly(text), withTools: false },
    );
  }

  ask(kind: AskedFor, withTools: boolean): void {
    this.#responses.start(
      { kind },
      {
        ...(kind === 'filler' ? { instructions: tellings.filler } : {}),
        ...(withTools ? {} : { withTools }),
      },
    );
  }

  /** What an interruption left was kept as sound. */
  sayRest(): void {}

  rest(): boolean {
    if (this.#isSessionOld) this.#reconnect();
    return this.#isSessionOld;
  }

  #responseEnded(response: EndedResponse): void {
    const { responseId, usage, purpose } = response;
    if (responseId !== undefined && usage !== undefined) {
      this.#estimate.ended(usage);
      this.#work.bookResponse({ responseId, ...usage });
    }
    const isDone = response.status === 'completed' || response.status === 'incomplete';
    this.#spoken.end(responseId, isDone);
    if (responseId !== undefined) this.#playback.finish(responseId);
    for (const act of this.#afterResponse.splice(0)) act();
    if (this.#isOver) return;
    const runs = isDone && this.#tools === undefined && response.calls.length > 0;
    for (const callId of response.brokenCallIds) this.#session?.addToolOutput(callId, interruptedOutput);
    if (runs && responseId !== undefined) this.#runTools(responseId, response);
    else for (const { callId } of response.calls) this.#session?.addToolOutput(callId, interruptedOutput);
    if (response.hadSound || runs) this.#failedSessions = 0;
    if (isDone && (response.hadSound || runs)) this.#agenda.hasWorked();
    else if (response.status === 'completed') {
      if (purpose.kind === 'say') this.#agenda.messages.sayAgain(purpose.messageId);
      this.#agenda.hadNothingToSay(purpose.kind);
    } else if (response.cancelledFor !== 'interruption') this.#tryAgain(response);
    this.#agenda.goOn();
  }

  /** The model has failed, made no sound, or was busy with something else: what it owes is asked for again. */
  #tryAgain({ purpose, status, reason }: EndedResponse): void {
    const failures =
      reason === 'conversation_already_has_active_response'
        ? this.#agenda.failures
        : this.#agenda.hasFailed();
    this.#oweAgain(purpose);
    if (status === 'failed') this.#timers.set('retry', times.retry, () => this.#agenda.goOn());
    if (failures < mostFailures && !accountCodes.has(reason)) return;
    // A session that makes no sound is replaced once.
    if (status !== 'failed' && failures === mostFailures) this.#reconnect();
    else this.finish('model_lost');
  }

  #oweAgain(purpose: Purpose): void {
    if (purpose.kind === 'say') this.#sayAgain(purpose.messageId);
    else this.#agenda.owe(purpose.kind);
  }

  /** Says a message again of which nothing is spoken yet. */
  #sayAgain(messageId: number): void {
    if (!this.#spoken.isSpoken(messageId)) this.#agenda.messages.sayAgain(messageId);
  }

  #runTools(responseId: string, { calls, hadSound }: EndedResponse): void {
    this.#tools = { responseId, calls, session: this.#sessions };
    this.#agenda.toolsBegin(hadSound);
    this.#work.runTools(responseId, calls);
  }

  /** Each call gets an output, in the session that made it; a later session is told the result. */
  toolsDone(responseId: string, { outputs, news }: ToolAnswers): void {
    const tools = this.#tools;
    if (this.#isOver || tools?.responseId !== responseId) return;
    this.#tools = undefined;
    for (const { callId, output } of outputs) {
      if (tools.session === this.#sessions) this.#session?.addToolOutput(callId, output);
      else {
        const name = tools.calls.find((call) => call.callId === callId)?.name ?? 'a tool';
        this.tell(resultNote(name, output));
      }
    }
    this.#agenda.toolsEnd(news);
  }

  // What the domain tells

  news(news: DeskNews): void {
    if (!this.#isOver) this.#agenda.apply(news);
  }

  /** Stores that a message was played have come back. */
  messagePlayed(messageId: number, news: DeskNews): void {
    this.#agenda.messages.settle(messageId);
    if (this.#isOver) return;
    this.#agenda.owe('answer');
    this.#agenda.apply(news);
  }

  tell(text: string): void {
    this.#tell({ role: 'system', text });
  }

  tellStored(note: string): void {
    this.tell(note);
  }

  instruct(instructions: RealtimeInstructions): void {
    this.#session?.instruct(instructions);
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
      this.#agenda.goOn();
    });
  }

  #reconnect(): void {
    const session = this.#session;
    this.#lostSession();
    session?.close();
  }

  #brokeOff(): void {
    const isSudden = this.#timers.now() - this.#openedAt < times.sudden;
    if (isSudden && !this.#isOver) this.#replaceFailed();
    else this.#lostSession();
  }

  /** Sessions that break off at once, or do nothing, are not replaced without an end: the caller would hear nothing. */
  #replaceFailed(): void {
    this.#failedSessions += 1;
    if (this.#failedSessions >= mostFailures) this.finish('model_lost');
    this.#reconnect();
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
    this.#bookLost(responseId);
    const purpose = this.#responses.disconnect();
    this.#afterResponse = [];
    this.#hearing.disconnect();
    this.#timers.clear('silence');
    // From here on, messages in the middle of which the session was lost are of an earlier one.
    this.#sessions += 1;
    this.#playback.resume();
    this.#watchMarks();
    if (responseId !== undefined) this.#playback.finish(responseId);
    if (purpose !== undefined) this.#oweAgain(purpose);
    this.#backpressure.disconnect();
    this.#work.connect();
  }

  // The end

  finish(reason: BridgeEndReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end = reason;
    this.#timers.clearAll();
    for (const item of this.#playback.drop()) this.#cutOff(item, 'call_ended');
    this.#work.leave(reason, this.#agenda.endsByItself);
    this.#timers.set('last_words', times.lastWords, () => this.#close());
    this.#closeWhenHeard();
  }

  #closeWhenHeard(): void {
    if (this.#session === undefined || !this.#hearing.awaitsWords) this.#close();
  }

  #close(): void {
    if (this.#end === undefined) return;
    const reason = this.#end;
    this.#end = undefined;
    this.#timers.clearAll();
    this.#transcript.flushAll();
    this.#bookLost(this.#responses.current?.id);
    this.#session?.close();
    this.#session = undefined;
    this.#work.closed(reason);
  }

  /** The end of a response that has begun is not reported any more, and is billed all the same. */
  #bookLost(responseId: string | undefined): void {
    if (responseId !== undefined) this.#work.bookResponse(this.#estimate.of(responseId));
  }
}

type TurnEvent = Exclude<
  RealtimeEvent,
  { type: 'audio' | 'spoken' | 'transcribed' | 'not_transcribed' | 'closed' | 'response_ended' }
>;
