import type { ModelToolCall } from '../../providers/model/chat-model.js';
import type { BridgeEndReason, Played, Said } from '../bridge/ports.js';

/** How the model is asked. */
export interface Asking {
  withTools: boolean;
  /** What it is told for this answer alone. */
  notes: readonly string[];
  /** What the agent has said, and was not heard yet. */
  saying: readonly string[];
  /** Leaves out calls of tools that have no result yet. */
  withoutOpenCalls: boolean;
}

/** What a voice session has others do. Nothing is waited for: what comes of it comes back as an event. */
export interface RelayWork {
  /** Opens the call at the backend: `opened`, or `stop`. */
  open(): void;
  /** Pieces of the answer come as `piece`, its end as `answered` or `failed`. */
  ask(answer: number, asking: Asking): void;
  /** Nothing comes of the answer any more. */
  abort(answer: number): void;
  store(said: Said): void;
  /** Comes back as `messagePlayed`. */
  played(messageId: number, played: Played): void;
  /** Comes back as `toolsDone`, always. */
  runTools(responseId: string, calls: readonly ModelToolCall[]): void;
  /** Comes back as `keysTaken`. */
  takeKeys(field: string, digits: string): void;
  /** Comes back as `news`. */
  look(): void;
  /** The last thing. @param byItself the agent ends the call without a tool that has said so */
  ended(reason: BridgeEndReason, byItself: boolean): void;
}
