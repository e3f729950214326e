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
  heard(payload: string): void;
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
}

/** Why a bridge has ended; the call itself may go on. */
export type BridgeEndReason =
  /** The stream ended from the other side. */
  | 'caller_left'
  /** The agent has said goodbye, or has nothing left to say. */
  | 'agent_ended'
  | 'transfer'
  /** No session of the model can be had. */
  | 'model_lost'
  | BridgeStop;

/** Why a bridge is told to stop: by a command of the run, a later attempt, or the end of its process. */
export type BridgeStop = 'commanded' | 'superseded' | 'drained';

export interface BridgeEnd {
  reason: BridgeEndReason;
}

/** Where and when something was said, in milliseconds from the beginning of the call. */
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
  /** Of words that were cut off: what would have been said, why it ended, and after how much of its sound. */
  cut?: { whole: string; reason: 'interrupted' | 'call_ended'; atMs: number };
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
  greeting: string | undefined;
}

/** What has become of the call meanwhile. */
export interface DeskNews {
  /** False: a later attempt has begun, or the call is over. */
  isCurrent: boolean;
  /** Those of the current task, if they differ from those that the session has. */
  instructions?: RealtimeInstructions;
  /** Notes for the model, such as what the member has written meanwhile, each once. They are answered with the next words. */
  notes?: readonly string[];
  /** What the model has to say now, such as the question of a task that the run has entered. */
  say?: string;
  /** The caller's next keys are the value of this field, which is kept from the model and from the transcript. */
  keysFor?: string;
  /** The call ends after the words that are being spoken, with these as the last. */
  ending?: { kind: 'hang_up' | 'transfer'; say?: string };
}

export interface ToolAnswers {
  /** One for each call, in the order of the calls. */
  outputs: readonly { callId: string; output: string }[];
  news: DeskNews;
}

export interface ResponseUsage {
  responseId: string;
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  totalTokens: number;
  audioInputTokens?: number;
  audioOutputTokens?: number;
}

/** The domain, as one attempt of one call sees it. What it refuses is an answer; what it throws may be tried again. */
export interface CallDesk {
  /** @returns undefined if the attempt or the call is over */
  open(): Promise<CallOpening | undefined>;
  /** Stores what was said. A repetition changes nothing. */
  store(said: Said): Promise<void>;
  /** Runs the calls of one response in their order, each once by its id. */
  runTools(responseId: string, calls: readonly RealtimeToolCall[]): Promise<ToolAnswers>;
  /** Takes the value of the field that keys were asked for. @returns whether it fits, and what the model is told */
  takeKeys(field: string, digits: string): Promise<{ told: string; news: DeskNews }>;
  look(): Promise<DeskNews>;
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
