import type { RealtimeEvent, RealtimeSession } from '../../providers/realtime/realtime.js';
import type { Agenda } from './agenda.js';
import type { AgentSpeech } from './agent-speech.js';
import { CallerAudio } from './caller-audio.js';
import { Hearing, type HearingListener, type HearingTimer } from './hearing.js';
import { type Entered, KeyEntry } from './key-entry.js';
import type { ModelSessions } from './model-sessions.js';
import type { BackendNews } from './ports.js';
import type { RecordingTime } from './recording-time.js';
import type { Responses } from './responses.js';
import type { Transcript } from './transcript.js';
import { keysNote } from './words.js';
import type { Work } from './work.js';

/** The agent speaks first only once the caller can be heard, or after this. Milliseconds. */
const firstFrameMs = 1_500;

export type CallerTimer = HearingTimer | 'first_frame' | 'keys';

interface CallerTimers {
  now(): number;
  set(name: CallerTimer, ms: number, run: () => void): void;
  clear(name: CallerTimer | 'silence'): void;
}

export interface CallerOptions {
  timers: CallerTimers;
  transcript: Transcript;
  time: RecordingTime;
  work: Pick<Work, 'store' | 'takeKeys'>;
  agenda: Agenda;
  model: ModelSessions;
  responses: Responses;
  speech: AgentSpeech;
}

/** The caller of a call: its sound, its words and its keys, and what they do to what the agent says. */
export class Caller implements HearingListener {
  readonly #options: CallerOptions;
  readonly #audio = new CallerAudio();
  readonly #hearing: Hearing;
  readonly #keys: KeyEntry;
  #keyEntries = 0;
  #isHeardFrom = false;
  /** The item that the current answer is for, and for nothing else. */
  #answeredItem: string | undefined;

  constructor(options: CallerOptions) {
    this.#options = options;
    const { timers, transcript, time, work } = options;
    const store: Work['store'] = (said) => work.store(said);
    this.#hearing = new Hearing({ timers, audio: this.#audio, transcript, time, store, listener: this });
    this.#keys = new KeyEntry(timers, (entered) => this.#entered(entered));
    timers.set('first_frame', firstFrameMs, () => this.#heardFrom());
  }

  /** Whether sound has come, or is not waited for any more. */
  get isHeardFrom(): boolean {
    return this.#isHeardFrom;
  }

  get isListening(): boolean {
    return this.#hearing.isActive || this.#keys.isEntering;
  }

  /** Whether the words of what was said are still to come. */
  get awaitsWords(): boolean {
    return this.#hearing.awaitsWords;
  }

  connect(session: RealtimeSession): void {
    this.#audio.connect(session);
  }

  /** What the caller says is kept for the next session; speech that the lost one has heard has no end. */
  disconnect(): void {
    this.#audio.disconnect();
    this.#hearing.disconnect();
    this.#options.timers.clear('silence');
  }

  // Sound and keys

  hear(payload: string, timestampMs: number): void {
    const { time, timers } = this.#options;
    this.#audio.hear(payload, Number.isFinite(timestampMs) ? timestampMs : time.inStream(timers.now()));
    if (!this.#isHeardFrom) this.#heardFrom();
  }

  #heardFrom(): void {
    this.#isHeardFrom = true;
    this.#options.timers.clear('first_frame');
    this.#options.agenda.goOn();
  }

  /** A key is an interruption by itself. */
  press(digit: string): void {
    const { agenda, speech } = this.#options;
    agenda.heard();
    const isFirst = !this.#keys.isEntering;
    this.#keys.begin(agenda.keysFor);
    if (isFirst && speech.isSpeaking) {
      this.#hearing.forget();
      this.interrupted(false);
    }
    this.#keys.press(digit);
  }

  /** The value of a field goes to the domain alone: neither the model nor the transcript gets it. */
  #entered({ digits, field = this.#options.agenda.keysFor }: Entered): void {
    const { agenda, work } = this.#options;
    if (field !== undefined) {
      work.takeKeys(field, digits);
      return;
    }
    agenda.owe('answer');
    if (digits !== '') this.#hearKeys(digits);
    agenda.goOn();
  }

  #hearKeys(digits: string): void {
    const { timers, transcript, time, work, model } = this.#options;
    this.#keyEntries += 1;
    const itemId = `keys_${model.number}_${this.#keyEntries}`;
    const now = timers.now();
    const text = keysNote(digits);
    transcript.begin(itemId);
    const said = { itemId, by: 'caller' as const, text, ...time.spanOfClock(now, now) };
    transcript.settle(itemId, () => work.store(said), now);
    model.tell({ role: 'user', text });
  }

  keysTaken({ told, news }: { told: string; news: BackendNews }): void {
    const { agenda, model } = this.#options;
    model.note(told);
    agenda.owe('answer');
    agenda.apply(news);
  }

  // Speech, as the model reports it

  takeSpeech(event: SpeechEvent): void {
    switch (event.type) {
      case 'speech_started':
        this.#options.timers.clear('silence');
        this.#hearing.started(event.itemId, event.atMs);
        break;
      case 'speech_stopped':
        this.#hearing.stopped(event.itemId, event.atMs);
        break;
      case 'heard':
        this.#options.agenda.heard();
        this.#hearing.committed(event.itemId);
        break;
    }
  }

  /** @param isOver only the words are of interest */
  transcribed(itemId: string, text: string, isOver: boolean): void {
    this.#hearing.transcribed(itemId, text, isOver);
  }

  get isSpeaking(): boolean {
    return this.#options.speech.isSpeaking;
  }

  get isEnding(): boolean {
    return this.#options.agenda.isEnding;
  }

  hold(): void {
    this.#options.speech.hold();
  }

  said(itemId: string): void {
    const { agenda, responses } = this.#options;
    const owesNothing = !agenda.owesAnswer && !agenda.runsTools && responses.isFree;
    this.#answeredItem = owesNothing ? itemId : undefined;
    agenda.owe('answer');
    agenda.goOn();
  }

  spokeTooLong(): void {
    this.#options.agenda.goOn();
  }

  /** A noise that nobody waited for is not answered, unless the answer is heard already. */
  wasNoise(itemId: string): void {
    const { model, responses } = this.#options;
    const { current } = responses;
    if (this.#answeredItem !== itemId || current?.purpose.kind !== 'answer' || current.hadSound) return;
    this.#answeredItem = undefined;
    responses.cancel('interruption');
    model.current?.deleteItem(itemId);
  }

  /** The caller has coughed, or listens: the agent goes on where it was, and the model is not told. */
  notInterrupted(itemId: string | undefined): void {
    const { agenda, model, speech } = this.#options;
    if (itemId !== undefined) model.current?.deleteItem(itemId);
    speech.resume();
    agenda.goOn();
  }

  interrupted(isItem: boolean): void {
    const { agenda, speech } = this.#options;
    speech.interrupt();
    if (isItem) agenda.owe('answer');
    agenda.goOn();
  }
}

export type SpeechEvent = Extract<RealtimeEvent, { type: 'speech_started' | 'speech_stopped' | 'heard' }>;
