import type { ModelUsage } from '../model/chat-model.js';

export interface RealtimeTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** How the model detects that the caller speaks. Milliseconds; `threshold` from 0 to 1. What is absent is left to the model. */
export type TurnDetection =
  | { kind: 'server_vad'; threshold?: number; prefixPaddingMs?: number; silenceMs?: number }
  | { kind: 'semantic_vad'; eagerness?: 'low' | 'medium' | 'high' | 'auto' };

/** What was said before the session began. */
export interface RealtimeMessage {
  role: 'user' | 'assistant' | 'system';
  text: string;
}

export interface RealtimeInstructions {
  instructions: string;
  tools: readonly RealtimeTool[];
}

export interface RealtimeSettings extends RealtimeInstructions {
  /** The provider's names of the model and of the voice. */
  model: string;
  voice: string;
  turnDetection: TurnDetection;
  noiseReduction: 'near_field' | 'far_field' | null;
  /** Writes down what the caller says; null: the session has no transcripts of it. */
  transcription: { model: string; language?: string } | null;
  history: readonly RealtimeMessage[];
}

export type ResponseStatus = 'completed' | 'cancelled' | 'failed' | 'incomplete';

export interface RealtimeToolCall {
  callId: string;
  name: string;
  /** JSON as the model wrote it. It may be invalid, or may not match the tool's parameters. */
  arguments: string;
}

/** The usage of a transcription: tokens, or seconds of sound. */
export type TranscriptionUsage = { tokens: ModelUsage } | { seconds: number };

/**
 * What a session reports. Sound is µ-law at 8 kHz in base64; `atMs` counts the sound that was appended to this session.
 * Events of a kind that is not listed here are left out.
 */
export type RealtimeEvent =
  | { type: 'speech_started'; itemId: string; atMs: number }
  | { type: 'speech_stopped'; itemId: string; atMs: number }
  /** What the caller said is an item of the conversation. */
  | { type: 'heard'; itemId: string; afterItemId: string | null }
  /** Comes late, and not in the order of the items. */
  | { type: 'transcribed'; itemId: string; text: string; usage: TranscriptionUsage | undefined }
  | { type: 'not_transcribed'; itemId: string; code: string }
  /** `request`: the number of our request; undefined if the response is of another origin. */
  | { type: 'response_begun'; responseId: string; request: number | undefined }
  | { type: 'item_begun'; responseId: string; itemId: string; kind: 'message' | 'call' }
  | { type: 'audio'; responseId: string; itemId: string; payload: string }
  /** A piece of the words that the model speaks, or, at their end, all of them. */
  | { type: 'spoken'; responseId: string; itemId: string; text: string; isWhole: boolean }
  | {
      type: 'response_ended';
      responseId: string;
      request: number | undefined;
      status: ResponseStatus;
      /** The provider's code or reason of a response that was not completed. */
      reason: string | undefined;
      calls: readonly RealtimeToolCall[];
      /** Calls whose arguments were not finished. */
      brokenCallIds: readonly string[];
      usage: ModelUsage | undefined;
    }
  /** The server refuses one of our requests. `eventId` is the one that was sent with it. */
  | { type: 'refused'; code: string; eventId: string | undefined }
  /** Comes once, and is the last event. */
  | { type: 'closed'; code: string };

/** A session of a realtime model. Its methods do nothing once it is closed, which `closed` tells. */
export interface RealtimeSession {
  /** Bytes that wait to be sent. */
  readonly bufferedBytes: number;
  appendAudio(payload: string): void;
  /** Asks for a response. @param request a number of ours, which its events carry. @returns the id of the event */
  respond(request: number, options?: { instructions?: string; withTools?: boolean }): string;
  /** @returns the id of the event, which a refusal names */
  cancel(responseId: string | undefined): string;
  /** Tells the model how much of an item was played. The server refuses more than there is. */
  truncate(itemId: string, audioEndMs: number): string;
  deleteItem(itemId: string): string;
  addMessage(message: RealtimeMessage): string;
  addToolOutput(callId: string, output: string): string;
  /** Replaces instructions and tools, from the next response on. */
  instruct(instructions: RealtimeInstructions): string;
  /** Takes nothing more from the server until `resume`, so that what cannot be passed on is not kept. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** A model that listens and speaks. It never reconnects: its caller does, and gives the new session what was said. */
export interface RealtimeModel {
  /**
   * Opens a session that has accepted its settings and has got the history. @param events is called with each event, in order
   * @throws ModelBusy to try again later, ModelUnusable until the account is fixed, ModelRefused for good
   */
  connect(
    settings: RealtimeSettings,
    events: (event: RealtimeEvent) => void,
    signal: AbortSignal,
  ): Promise<RealtimeSession>;
}
