import type {
  RealtimeEvent,
  RealtimeInstructions,
  RealtimeSession,
} from '../../providers/realtime/realtime.js';
import { Agenda, type AgendaTimer, type AskedFor, type Voice } from './agenda.js';
import { AgentSpeech } from './agent-speech.js';
import { Backpressure } from './backpressure.js';
import { Caller, type CallerTimer } from './caller.js';
import { type ConnectedCall, ModelConnection } from './model-connection.js';
import { ModelSessions } from './model-sessions.js';
import type {
  BackendNews,
  BridgeClock,
  BridgeEndReason,
  BridgeStop,
  CallOpening,
  CarrierStream,
  Recorder,
  ToolAnswers,
  ToSay,
} from './ports.js';
import { RecordingTime } from './recording-time.js';
import { Responses } from './responses.js';
import { Timers } from './timers.js';
import { ToolCalls } from './tool-calls.js';
import { Transcript } from './transcript.js';
import { exactly, tellings } from './words.js';
import type { Work } from './work.js';

/** How long the end waits for transcripts of the caller's last words. Milliseconds. */
const lastWordsMs = 2_000;

type TimerName = AgendaTimer | CallerTimer | 'response' | 'marks' | 'last_words' | 'drain' | 'session';

export interface VoiceSessionOptions {
  stream: Pick<CarrierStream, 'sendAudio' | 'sendMark' | 'clear' | 'pause' | 'resume' | 'bufferedBytes'>;
  recorder: Pick<Recorder, 'heard' | 'spoke' | 'cleared'>;
  work: Work;
  clock: BridgeClock;
  /** When the stream began, by the clock. */
  beganAt: number;
  streamBeganMs: number;
}

/**
 * A call between the carrier's stream and sessions of the model: what happens on either side goes in, and what has
 * to be done goes out, at once. It waits for nothing: what takes time is `Work`, and comes back as an event. `Caller`
 * has what is heard, `AgentSpeech` what is said, `ModelConnection` what the model reports; the `Agenda` decides what
 * is said next.
 */
export class VoiceSession implements Voice, ConnectedCall {
  readonly #recorder: VoiceSessionOptions['recorder'];
  readonly #work: Work;
  readonly #timers: Timers<TimerName>;
  readonly #transcript = new Transcript();
  readonly #agenda: Agenda;
  readonly #model: ModelSessions;
  readonly #responses: Responses;
  readonly #speech: AgentSpeech;
  readonly #caller: Caller;
  readonly #tools: ToolCalls;
  readonly #backpressure: Backpressure;
  readonly #connection: ModelConnection;
  #isOver = false;
  #end: BridgeEndReason | undefined;

  readonly answersBesideTools = true;

  constructor({ stream, recorder, work, clock, beganAt, streamBeganMs }: VoiceSessionOptions) {
    this.#recorder = recorder;
    this.#work = work;
    this.#timers = new Timers(clock);
    this.#agenda = new Agenda(this, this.#timers, () => work.look());
    this.#model = new ModelSessions(this.#timers, () => this.#agenda.goOn());
    this.#responses = new Responses(this.#timers, {
      ended: (response) => this.#connection.responseEnded(response),
      freed: () => this.#agenda.goOn(),
      stuck: () => this.#connection.replaceFailed(),
    });
    const time = new RecordingTime(beganAt, streamBeganMs);
    const [timers, transcript, agenda] = [this.#timers, this.#transcript, this.#agenda];
    const parts = { timers, transcript, time, work, agenda, model: this.#model, responses: this.#responses };
    const speech = new AgentSpeech({ stream, recorder, ...parts });
    const caller = new Caller({ ...parts, speech });
    const tools = new ToolCalls(parts);
    const backpressure = new Backpressure(timers, stream, () => this.#connection.replaceFailed());
    this.#connection = new ModelConnection({ ...parts, call: this, speech, caller, tools, backpressure });
    this.#speech = speech;
    this.#caller = caller;
    this.#tools = tools;
    this.#backpressure = backpressure;
  }

  // What the carrier reports

  hear(payload: string, timestampMs: number): void {
    if (this.#isOver) return;
    this.#recorder.heard(payload, timestampMs);
    this.#caller.hear(payload, timestampMs);
    this.#backpressure.afterHearing();
  }

  marked(name: string): void {
    if (!this.#isOver) this.#speech.marked(name);
  }

  press(digit: string): void {
    if (!this.#isOver && !this.#agenda.isEnding) this.#caller.press(digit);
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

  // What the model reports

  /** @returns the number of the session, which its events are passed on with */
  opened(session: RealtimeSession, opening: CallOpening): number {
    if (!this.#isOver) return this.#connection.opened(session, opening);
    session.close();
    return this.#model.number;
  }

  take(session: number, event: RealtimeEvent): void {
    this.#connection.take(session, event);
  }

  /** No session can be had. */
  refused(): void {
    this.finish('model_lost');
  }

  // The agent speaks

  get isReady(): boolean {
    const isConnected = !this.#isOver && this.#model.current !== undefined;
    return isConnected && this.#caller.isHeardFrom && this.#responses.isFree;
  }

  get isPlaying(): boolean {
    return this.#speech.isPlaying;
  }

  get isSpeaking(): boolean {
    return this.#speech.isSpeaking;
  }

  get isListening(): boolean {
    return this.#caller.isListening;
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
    if (this.#model.isOld) this.#connection.reconnect();
    return this.#model.isOld;
  }

  // What the domain tells

  news(news: BackendNews): void {
    if (!this.#isOver) this.#agenda.apply(news);
  }

  toolsDone(responseId: string, answers: ToolAnswers): void {
    if (!this.#isOver) this.#tools.done(responseId, answers);
  }

  keysTaken(taken: { told: string; news: BackendNews }): void {
    if (!this.#isOver) this.#caller.keysTaken(taken);
  }

  /** Stores that a message was played have come back. */
  messagePlayed(messageId: number, news: BackendNews): void {
    this.#agenda.messages.settle(messageId);
    if (this.#isOver) return;
    this.#agenda.owe('answer');
    this.#agenda.apply(news);
  }

  tell(note: string): void {
    this.#model.note(note);
  }

  reportStored(note: string): void {
    this.tell(note);
  }

  instruct(instructions: RealtimeInstructions): void {
    this.#model.current?.instruct(instructions);
  }

  // The end

  get isOver(): boolean {
    return this.#isOver;
  }

  finish(reason: BridgeEndReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end = reason;
    this.#timers.clearAll();
    this.#speech.cutOff('call_ended');
    this.#work.leave(reason, this.#agenda.endsByItself);
    this.#timers.set('last_words', lastWordsMs, () => this.#close());
    this.closeWhenHeard();
  }

  closeWhenHeard(): void {
    if (this.#model.current === undefined || !this.#caller.awaitsWords) this.#close();
  }

  #close(): void {
    if (this.#end === undefined) return;
    const reason = this.#end;
    this.#end = undefined;
    this.#timers.clearAll();
    this.#transcript.flushAll();
    this.#connection.bookLost(this.#responses.current?.id);
    this.#model.close();
    this.#work.closed(reason);
  }
}
