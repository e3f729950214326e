import type {
  RealtimeInstructions,
  RealtimeSettings,
  RealtimeToolCall,
  TranscriptionUsage,
} from '../../providers/realtime/realtime.js';

/** The carrier's stream of a call. Sound is µ-law at 8 kHz in base64, and is relayed without decoding. */
export interface CarrierStream {
  readonly streamId: string;
  readonly carrierCallId: string;
  /** Bytes that wait to be sent. */
  readonly bufferedBytes: number;
  /** Called once. Events that came before are passed on at once. */
  listen(events: CarrierStreamEvents): void;
  sendAudio(payload: string): void;
  /** Comes back as `marked` once everything that was sent before was played or cleared. */
  sendMark(name: string): void;
  /** Drops what was sent and not played yet. */
  clear(): void;
  /** Takes nothing more from the carrier until `resume`, so that what cannot be passed on is not kept. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface CarrierStreamEvents {
  /** @param timestampMs the carrier's time of the frame, from the beginning of the stream */
  audio(payload: string, timestampMs: number): void;
  key(digit: string): void;
  marked(name: string): void;
  /** The last event. `stop`: the carrier has ended the stream, which also happens if the call is redirected. */
  ended(reason: 'stop' | 'closed' | 'error'): void;
}

/** Writes down the sound of a call. `finish` never fails. */
export interface Recorder {
  heard(payload: string, timestampMs: number): void;
  spoke(payload: string): void;
  /** What was not played yet is dropped. */
  cleared(): void;
  finish(): Promise<void>;
}

export interface BridgedCall {
  workspaceId: number;
  chatId: number;
  callId: number;
  /** The number of the bridge. */
  attempt: number;
  /** When the stream began, by the clock of the bridge: before the call was admitted. */
  beganAt: number;
  /** From the beginning of the call's recording to that of this stream; 0 for the first. */
  streamBeganMs: number;
  /** Null: the call is not recorded. */
  recordingUuid: string | null;
}

/** Why a bridge has ended; the call itself may go on. */
export type BridgeEndReason =
  /** The stream ended from the other side. */
  | 'caller_left'
  /** The stream broke: the other side did not say that it ends it. */
  | 'closed'
  /** The agent has said goodbye, or has nothing left to say. */
  | 'agent_ended'
  | 'transfer'
  /** No session of the model can be had. */
  | 'model_lost'
  | BridgeStop;

/** Why a bridge is told to stop at once: by a command of the run, a later attempt, or the end of its process. */
export type BridgeStop = 'commanded' | 'superseded' | 'drained';

export interface BridgeEnd {
  reason: BridgeEndReason;
}

/** When something was said, in milliseconds from the beginning of the call's recording. */
export interface SaidAt {
  startMs: number;
  endMs: number;
}

/** What was said, or entered by keys: an item of the conversation, stored once by its id. */
export interface Said extends SaidAt {
  itemId: string;
  by: 'caller' | 'agent';
  /** What was heard of it by the other side. */
  text: string;
  cut?: Cut;
}

/** Of words that were cut off: what would have been said, why it ended, and after how much of its sound. */
export interface Cut {
  whole: string;
  reason: 'interrupted' | 'call_ended';
  atMs: number;
}

/** A stored message that was spoken. `text` is what was heard of it. */
export interface Played extends SaidAt {
  text: string;
  cut?: Cut;
}

/** A stored message that is to be spoken word by word. */
export interface ToSay {
  messageId: number;
  text: string;
}

/** How the agent conducts the call. Milliseconds. */
export interface Conduct {
  /** How long the caller may say nothing after the agent's last word before the agent asks; null: as long as it likes. */
  silenceMs: number | null;
  /** How often in a row the agent asks before it says goodbye. */
  silencePrompts: number;
  /** How long a tool may take before the agent says that it takes a moment. */
  fillerMs: number;
}

/** What a session begins with. Asked anew for each session of the call. */
export interface CallOpening {
  settings: RealtimeSettings;
  conduct: Conduct;
  /** What the model is told for its first words; undefined: it waits for the caller. */
  firstWords: string | undefined;
  /** Words that are said first of all, exactly so, instead of the model's own; the caller speaks next. */
  greeting?: string;
  news: BackendNews;
}

/** What has become of the call meanwhile. */
export interface BackendNews {
  /** False: a later attempt has begun, or the call is over. */
  isCurrent: boolean;
  /** Those of the current task, if they differ from those that the session has. */
  instructions?: RealtimeInstructions;
  /** Notes for the model, such as what the member has written meanwhile, each once. They are answered with the next words. */
  notes?: readonly string[];
  /** Messages to be spoken before anything else, in their order: all that were not played yet. */
  toSay?: readonly ToSay[];
  /** True: the agent has nothing to say until the run has gone on, as in a task that decides or waits. */
  standsBy?: boolean;
  /** The caller's next keys are the value of this field, which is kept from the model and from the transcript. */
  keysFor?: string;
  /** The call ends after the words that are being spoken. */
  ending?: 'hang_up' | 'transfer';
}

export interface ToolAnswers {
  /** One for each call, in the order of the calls. */
  outputs: readonly { callId: string; output: string }[];
  news: BackendNews;
}

export interface ResponseUsage {
  responseId: string;
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  totalTokens: number;
  audioInputTokens?: number;
  audioOutputTokens?: number;
  /** Nobody has reported it. */
  isEstimated?: boolean;
}

/** The domain, as one attempt of one call sees it. What it refuses is an answer; what it throws may be tried again. */
export interface CallBackend {
  /** @returns `over` if the attempt or the call is over; `no_model` if none is configured, or its credits are used up */
  open(): Promise<CallOpening | 'over' | 'no_model'>;
  /** Stores what was said. A repetition changes nothing. */
  store(said: Said): Promise<void>;
  /** Stores when a message was spoken; the assignment goes on from there. */
  played(messageId: number, played: Played): Promise<BackendNews>;
  /** Runs the calls of one response in their order, each once by its id. */
  runTools(responseId: string, calls: readonly RealtimeToolCall[]): Promise<ToolAnswers>;
  /** Takes the value of the field that keys were asked for. @returns whether it fits, and what the model is told */
  takeKeys(field: string, digits: string): Promise<{ told: string; news: BackendNews }>;
  look(): Promise<BackendNews>;
  /** Notes that the agent ends the call by itself, before the stream is closed. */
  endCall(): Promise<void>;
  /** Books what a response or a transcription of the caller's words has cost, once by its id. */
  bookResponse(usage: ResponseUsage): Promise<void>;
  bookTranscription(itemId: string, usage: TranscriptionUsage): Promise<void>;
}

/** A clock that tests move. */
export interface BridgeClock {
  /** Milliseconds that only grow. */
  now(): number;
  /** @returns what cancels it */
  after(ms: number, run: () => void): () => void;
}
