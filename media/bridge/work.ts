import type { RealtimeToolCall, TranscriptionUsage } from '../../providers/realtime/realtime.js';
import type { BridgeEndReason, Played, ResponseUsage, Said } from './ports.js';

/** What a voice session has others do. Nothing is waited for: what comes of it comes back as an event. */
export interface Work {
  /** Opens a session: `opened`, or `refused`. */
  connect(): void;
  store(said: Said): void;
  /** Comes back as `messagePlayed`. */
  played(messageId: number, played: Played): void;
  /** Comes back as `toolsDone`, always. */
  runTools(responseId: string, calls: readonly RealtimeToolCall[]): void;
  /** Comes back as `keysTaken`. */
  takeKeys(field: string, digits: string): void;
  /** Comes back as `news`. */
  look(): void;
  /** The model has refused a request that no response depends on. */
  refused(code: string): void;
  bookResponse(usage: ResponseUsage): void;
  bookTranscription(itemId: string, usage: TranscriptionUsage): void;
  /** Closes the stream. @param byItself the agent ends the call without a tool that has said so */
  leave(reason: BridgeEndReason, byItself: boolean): void;
  /** The last thing: nothing comes after it. */
  closed(reason: BridgeEndReason): void;
}
