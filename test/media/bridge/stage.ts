import type {
  BackendNews,
  CallOpening,
  Conduct,
  Played,
  ResponseUsage,
  Said,
} from '../../../media/bridge/ports.js';
import { VoiceSession } from '../../../media/bridge/voice-session.js';
import { soundMs } from '../../../media/sound/sound-ms.js';
import type {
  RealtimeEvent,
  RealtimeSession,
  RealtimeToolCall,
} from '../../../providers/realtime/realtime.js';
import { FakeClock } from './fake-clock.js';

/** What a session was asked, such as `respond 1`, `truncate i1 300`, `delete i1`, `output c1 {…}`, `tell system …`. */
export class FakeSession implements RealtimeSession {
  asked: string[] = [];
  bufferedBytes = 0;
  appended: string[] = [];
  isClosed = false;
  isPaused = false;
  responds: { request: number; instructions?: string; withTools?: boolean }[] = [];
  #events = 0;

  #ask(what: string): string {
    this.asked.push(what);
    this.#events += 1;
    return `e${this.#events}`;
  }

  /** The id of the last event that was sent. */
  get lastEvent(): string {
    return `e${this.#events}`;
  }

  appendAudio(payload: string): void {
    this.appended.push(payload);
  }

  respond(request: number, options: { instructions?: string; withTools?: boolean } = {}): string {
    this.responds.push({ request, ...options });
    return this.#ask('respond');
  }

  cancel(responseId: string | undefined): string {
    return this.#ask(`cancel ${responseId ?? 'any'}`);
  }

  truncate(itemId: string, audioEndMs: number): string {
    return this.#ask(`truncate ${itemId} ${audioEndMs}`);
  }

  deleteItem(itemId: string): string {
    return this.#ask(`delete ${itemId}`);
  }

  addMessage({ role, text }: { role: string; text: string }): string {
    return this.#ask(`tell ${role} ${text}`);
  }

  addToolOutput(callId: string, output: string): string {
    return this.#ask(`output ${callId} ${output}`);
  }

  instruct({ instructions }: { instructions: string }): string {
    return this.#ask(`instruct ${instructions}`);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  close(): void {
    this.isClosed = true;
  }
}

export const plain: BackendNews = { isCurrent: true };
const frame = Buffer.alloc(160, 0xff).toString('base64');

/** Sound in base64. */
export function sound(ms: number): string {
  return Buffer.alloc(ms * 8, 0x55).toString('base64');
}

/** A voice session whose both sides, clock and domain a test plays. */
export class Stage {
  readonly clock = new FakeClock();
  session = new FakeSession();
  /** What the carrier was sent: `audio <ms>`, `mark <name>`, `clear`. */
  sent: string[] = [];
  marks: string[] = [];
  recorded: string[] = [];
  stored: Said[] = [];
  played: { messageId: number; played: Played }[] = [];
  toolRuns: { responseId: string; calls: readonly RealtimeToolCall[] }[] = [];
  keysTaken: { field: string; digits: string }[] = [];
  booked: string[] = [];
  usage: ResponseUsage[] = [];
  connects = 0;
  looks = 0;
  left: { reason: string; byItself: boolean } | undefined;
  closed: string | undefined;
  refusals: string[] = [];
  stream = {
    bufferedBytes: 0,
    isPaused: false,
    sendAudio: (payload: string) => void this.sent.push(`audio ${soundMs(payload)}`),
    sendMark: (name: string) => {
      this.sent.push('mark');
      this.marks.push(name);
    },
    clear: () => void this.sent.push('clear'),
    pause: () => {
      this.stream.isPaused = true;
    },
    resume: () => {
      this.stream.isPaused = false;
    },
  };
  readonly voice: VoiceSession;
  #number = 0;
  #responses = 0;
  #heardMs = 0;
  #items = 0;

  /** @param admittedAfterMs how long after the beginning of its stream the call was admitted */
  constructor(admittedAfterMs = 0) {
    this.voice = new VoiceSession({
      stream: this.stream,
      recorder: {
        heard: () => undefined,
        spoke: () => void this.recorded.push('spoke'),
        cleared: () => void this.recorded.push('cleared'),
      },
      work: {
        connect: () => {
          this.connects += 1;
        },
        store: (said) => void this.stored.push(said),
        played: (messageId, played) => void this.played.push({ messageId, played }),
        runTools: (responseId, calls) => void this.toolRuns.push({ responseId, calls }),
        takeKeys: (field, digits) => void this.keysTaken.push({ field, digits }),
        look: () => {
          this.looks += 1;
        },
        refused: (code) => void this.refusals.push(code),
        bookResponse: (usage) => {
          this.booked.push(usage.responseId);
          this.usage.push(usage);
        },
        bookTranscription: (itemId) => void this.booked.push(itemId),
        leave: (reason, byItself) => {
          this.left = { reason, byItself };
        },
        closed: (reason) => {
          this.closed = reason;
        },
      },
      clock: this.clock,
      beganAt: this.clock.now() - admittedAfterMs,
      streamBeganMs: 0,
    });
  }

  /** Opens a session; the caller can be heard. */
  static opened(options: Partial<OpeningOptions> = {}): Stage {
    const stage = new Stage();
    stage.frames(1);
    stage.open(options);
    return stage;
  }

  open({ firstWords, greeting, conduct = {}, news = plain }: Partial<OpeningOptions> = {}): void {
    this.session = new FakeSession();
    const opening: CallOpening = {
      settings: { instructions: 'Be brief. '.repeat(40) } as CallOpening['settings'],
      conduct: { silenceMs: null, silencePrompts: 0, fillerMs: 1_500, ...conduct },
      firstWords,
      ...(greeting === undefined ? {} : { greeting }),
      news,
    };
    this.#number = this.voice.opened(this.session, opening);
  }

  /** The session of the model breaks off. */
  lose(code = 'ws_1006'): void {
    this.event({ type: 'closed', code });
  }

  /** The model refuses a request. @param eventId by default the last one */
  refuse(code: string, eventId: string | undefined = this.session.lastEvent): void {
    this.event({ type: 'refused', code, eventId });
  }

  event(event: RealtimeEvent): void {
    this.voice.take(this.#number, event);
  }

  /** Silence of the caller, 20 ms each. */
  frames(count: number): void {
    for (let place = 0; place < count; place += 1) {
      this.voice.hear(frame, this.#heardMs);
      this.#heardMs += 20;
    }
  }

  /** The response that was asked for begins. @returns its id */
  begin(): string {
    this.#responses += 1;
    const responseId = `r${this.#responses}`;
    const request = this.session.responds.at(-1)?.request;
    this.event({ type: 'response_begun', responseId, request });
    return responseId;
  }

  /** The model speaks an item, 200 ms for each piece of its words. @returns its id */
  speak(responseId: string, ...pieces: string[]): string {
    this.#items += 1;
    const itemId = `i${this.#items}`;
    this.event({ type: 'item_begun', responseId, itemId, kind: 'message' });
    for (const text of pieces) {
      this.event({ type: 'spoken', responseId, itemId, text, isWhole: false });
      this.sound(responseId, itemId, 200);
    }
    return itemId;
  }

  sound(responseId: string, itemId: string, ms: number): void {
    this.event({ type: 'audio', responseId, itemId, payload: sound(ms) });
  }

  endResponse(
    responseId: string,
    rest: Partial<Extract<RealtimeEvent, { type: 'response_ended' }>> = {},
  ): void {
    this.event({
      type: 'response_ended',
      responseId,
      request: undefined,
      status: 'completed',
      reason: undefined,
      calls: [],
      brokenCallIds: [],
      usage: undefined,
      ...rest,
    });
  }

  cancelled(responseId: string): void {
    this.endResponse(responseId, { status: 'cancelled' });
  }

  /** The response that was asked for fails. */
  fail(reason = 'server_error'): void {
    this.endResponse(this.begin(), { status: 'failed', reason });
  }

  /** The response that was asked for calls tools, and says nothing. @returns its id */
  callTools(...callIds: string[]): string {
    const responseId = this.begin();
    this.endResponse(responseId, { calls: callIds.map((callId) => call(callId)) });
    return responseId;
  }

  /** The tools of a response have done what they were called for. */
  toolsDone(responseId: string, news: BackendNews = plain): void {
    const { calls = [] } = this.toolRuns.find((run) => run.responseId === responseId) ?? {};
    const outputs = calls.map(({ callId }) => ({ callId, output: '{"ok":true}' }));
    this.voice.toolsDone(responseId, { outputs, news });
  }

  /** The whole of an answer that was asked for. @returns the ids */
  answer(...pieces: string[]): { responseId: string; itemId: string } {
    const responseId = this.begin();
    const itemId = this.speak(responseId, ...pieces);
    this.endResponse(responseId);
    return { responseId, itemId };
  }

  /** The carrier has played what was sent before so many of the marks that are open. */
  play(count = this.marks.length): void {
    for (const name of this.marks.splice(0, count)) this.voice.marked(name);
  }

  startSpeech(itemId = 'u1'): void {
    this.event({ type: 'speech_started', itemId, atMs: 0 });
  }

  stopSpeech(itemId = 'u1'): void {
    this.event({ type: 'speech_stopped', itemId, atMs: 800 });
    this.event({ type: 'heard', itemId, afterItemId: null });
  }

  transcribe(text: string, itemId = 'u1'): void {
    this.event({ type: 'transcribed', itemId, text, usage: undefined });
  }

  /** The caller says something whose words are still to come. */
  utter(itemId = 'u1'): void {
    this.startSpeech(itemId);
    this.stopSpeech(itemId);
  }

  /** The caller says something. */
  say(text: string, itemId = 'u1'): void {
    this.utter(itemId);
    this.transcribe(text, itemId);
  }

  press(keys: string): void {
    for (const key of keys) this.voice.press(key);
  }

  /** What the session of the model was asked. */
  get asked(): string[] {
    return this.session.asked;
  }

  get requests(): FakeSession['responds'] {
    return this.session.responds;
  }

  /** What was stored of the words. */
  get texts(): string[] {
    return this.stored.map(({ text }) => text);
  }

  get responds(): number {
    return this.session.responds.length;
  }
}

interface OpeningOptions {
  firstWords: string;
  greeting: string;
  conduct: Partial<Conduct>;
  news: BackendNews;
}

export function call(callId: string, name = 'save_data'): RealtimeToolCall {
  return { callId, name, arguments: '{}' };
}

/** The agent has said "Good morning to you", 800 ms, of which so many marks have come back. */
export function speaking(marks: number): { stage: Stage; responseId: string; itemId: string } {
  const stage = Stage.opened({ firstWords: 'Greet.' });
  const responseId = stage.begin();
  const itemId = stage.speak(responseId, 'Good ', 'morning ', 'to ', 'you');
  stage.play(marks);
  return { stage, responseId, itemId };
}

/** The lengths of what the carrier was sent, in milliseconds. */
export function soundsIn(sent: readonly string[]): number[] {
  return sent.filter((one) => one.startsWith('audio')).map((one) => Number(one.slice('audio '.length)));
}
