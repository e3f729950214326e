import type { Knobs } from '../knobs.js';
import type { WebhookSender } from '../post-webhook.js';
import type { CallStore, Instructions, Method } from './call-store.js';
import type { ScriptedCall } from './follow-script.js';
import type { JoinedSocket } from './joined-socket.js';
import type { PlanBook } from './plan.js';

/** Where the calls to a number of the account go. */
export interface VoiceNumber {
  voiceUrl: string;
  voiceMethod: Method;
  voiceFallbackUrl?: string;
  /** Gets the end of each inbound call. */
  voiceStatusUrl?: string;
}

/** A call that has not ended. */
interface OpenCall extends ScriptedCall {
  redirect(instructions: Instructions): void;
}

/** What all calls share. */
export interface Exchange {
  accountSid: string;
  knobs: Knobs;
  sender: WebhookSender;
  store: CallStore;
  plans: PlanBook;
  live: Map<string, OpenCall>;
  /** The streams and sessions of the latest calls, by the id of the call, for what was said in them. */
  streams: Map<string, JoinedSocket[]>;
  voiceNumbers: Map<string, VoiceNumber>;
  /** When the account may dial its next call, in milliseconds since the epoch. */
  nextDialAt: number;
  /** Runs work in the background, without delaying the response. */
  beside(work: Promise<void>): void;
}
