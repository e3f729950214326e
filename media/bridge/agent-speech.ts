import type { RealtimeEvent } from '../../providers/realtime/realtime.js';
import type { Agenda } from './agenda.js';
import type { ModelSessions } from './model-sessions.js';
import { Playback, type SpokenItem } from './playback.js';
import type { CarrierStream, Cut, Recorder } from './ports.js';
import type { RecordingTime } from './recording-time.js';
import type { Responses } from './responses.js';
import { SpokenItems } from './spoken-items.js';
import type { Transcript } from './transcript.js';
import type { Work } from './work.js';

/** After the end of what was sent, marks that have not come back are not waited for. Milliseconds. */
const marksMs = 3_000;

interface MarksTimer {
  now(): number;
  set(name: 'marks', ms: number, run: () => void): void;
  isSet(name: 'marks'): boolean;
}

export interface AgentSpeechOptions {
  stream: Pick<CarrierStream, 'sendAudio' | 'sendMark' | 'clear'>;
  recorder: Pick<Recorder, 'spoke' | 'cleared'>;
  timers: MarksTimer;
  transcript: Transcript;
  time: RecordingTime;
  work: Pick<Work, 'store' | 'played'>;
  agenda: Agenda;
  model: ModelSessions;
  responses: Responses;
}

/** The sound and the words of the agent, from the model until they were played, or cut off by the caller. */
export class AgentSpeech {
  readonly #timers: MarksTimer;
  readonly #agenda: Agenda;
  readonly #model: ModelSessions;
  readonly #responses: Responses;
  readonly #playback: Playback;
  readonly #spoken: SpokenItems;
  #hasStarted = false;
  /** What has to wait for the end of a response that is being cancelled. */
  #afterResponse: (() => void)[] = [];

  constructor(options: AgentSpeechOptions) {
    const { stream, recorder, timers, transcript, time, work, agenda } = options;
    this.#timers = timers;
    this.#agenda = agenda;
    this.#model = options.model;
    this.#responses = options.responses;
    const now = () => timers.now();
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
    this.#spoken = new SpokenItems({ transcript, messages: agenda.messages, work, time, now });
    this.#playback = new Playback(output, now, (item) => this.#spoken.played(item));
  }

  /** Whether the agent has begun to say something in this call. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  get isPlaying(): boolean {
    return this.#playback.isPlaying;
  }

  /** Whether the agent is heard, or will be. */
  get isSpeaking(): boolean {
    if (this.#playback.isPlaying) return true;
    const { current } = this.#responses;
    return current !== undefined && current.phase !== 'cancelling';
  }

  /** What is being spoken, in its order. */
  get texts(): string[] {
    return this.#spoken.texts;
  }

  // What the model makes

  /** @returns whether the sound is wanted */
  play({ responseId, itemId, payload }: Extract<RealtimeEvent, { type: 'audio' }>): boolean {
    if (!this.#responses.progress(responseId, true)) return false;
    this.#begin(itemId, responseId);
    this.#playback.play(itemId, responseId, payload);
    this.#watchMarks();
    return true;
  }

  itemStarted({ responseId, itemId, kind }: Extract<RealtimeEvent, { type: 'item_begun' }>): void {
    if (this.#responses.progress(responseId, false) && kind === 'message') this.#begin(itemId, responseId);
  }

  /** Words of an item that was cut off belong to what would have been said, and come too late for it. */
  addWords({ responseId, itemId, text, isWhole }: Extract<RealtimeEvent, { type: 'spoken' }>): void {
    if (this.#spoken.has(itemId) && this.#responses.progress(responseId, false)) {
      this.#spoken.addWords(itemId, text, isWhole);
    }
  }

  #begin(itemId: string, responseId: string): void {
    if (this.#spoken.has(itemId)) return;
    this.#hasStarted = true;
    const purpose = this.#responses.current?.purpose;
    const messageId = purpose?.kind === 'say' ? purpose.messageId : undefined;
    this.#spoken.begin(itemId, { messageId, session: this.#model.number, responseId });
    this.#playback.begin(itemId, responseId);
  }

  /** @param isDone whether it was made entirely */
  responseEnded(responseId: string | undefined, isDone: boolean): void {
    this.#spoken.end(responseId, isDone);
    if (responseId !== undefined) this.#playback.finish(responseId);
    for (const act of this.#afterResponse.splice(0)) act();
  }

  /** What the carrier has is played on. @param responseId that was lost with the session */
  sessionLost(responseId: string | undefined): void {
    this.#afterResponse = [];
    this.resume();
    if (responseId !== undefined) this.#playback.finish(responseId);
  }

  // What is heard of it

  marked(name: string): void {
    this.#playback.marked(name);
    this.#agenda.goOn();
  }

  #watchMarks(): void {
    if (this.#timers.isSet('marks') || this.#playback.isHeld) return;
    this.#timers.set('marks', this.#playback.until - this.#timers.now() + marksMs, () => {
      if (!this.#playback.isPlaying) return;
      if (this.#playback.until > this.#timers.now()) this.#watchMarks();
      else this.#playback.assumePlayed();
      this.#agenda.goOn();
    });
  }

  hold(): void {
    this.#playback.hold();
  }

  resume(): void {
    this.#playback.resume();
    this.#watchMarks();
  }

  /** The caller speaks instead. */
  interrupt(): void {
    const purpose = this.#responses.current?.purpose;
    if (purpose?.kind === 'say') this.sayAgain(purpose.messageId);
    this.#responses.cancel('interruption');
    this.cutOff('interrupted');
  }

  /** Says a message again of which nothing is spoken yet. */
  sayAgain(messageId: number): void {
    if (!this.#spoken.isSpoken(messageId)) this.#agenda.messages.sayAgain(messageId);
  }

  /** What was not played is dropped. */
  cutOff(reason: Cut['reason']): void {
    for (const item of this.#playback.drop()) this.#cutOff(item, reason);
  }

  /** Tells the model, and the transcript, how much of an item was heard. */
  #cutOff(item: SpokenItem, reason: Cut['reason']): void {
    const { itemId, responseId } = item;
    const playedMs = Math.floor(item.playedMs);
    const session = this.#spoken.sessionOf(itemId);
    if (session !== undefined && this.#model.isCurrent(session) && reason === 'interrupted') {
      this.#onceEnded(responseId, () => {
        if (playedMs > 0) this.#model.current?.truncate(itemId, playedMs);
        else this.#model.current?.deleteItem(itemId);
      });
    }
    this.#spoken.cutOff(item, reason);
  }

  /** A session refuses changes of an item that it is making. */
  #onceEnded(responseId: string, act: () => void): void {
    if (this.#responses.current?.id === responseId) this.#afterResponse.push(act);
    else act();
  }
}
