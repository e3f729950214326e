import type { Knobs } from '../knobs.js';
import type { WebhookSender } from '../post-webhook.js';
import type { CallStore, Method } from './call-store.js';
import type { JoinedSocket } from './joined-socket.js';
import type { LiveCall } from './live-call.js';
import type { PlanBook } from './plan.js';

/** Where the calls to a number of the account go. */
export interface VoiceNumber {
  voiceUrl: string;
  voiceMethod: Method;
  voiceFallbackUrl?: string;
  /** Gets the end of each inbound call. */
  voiceStatusUrl?: string;
}

/** What all calls share. */
export interface Exchange {
  accountSid: string;
  knobs: Knobs;
  sender: WebhookSender;
  store: CallStore;
  plans: PlanBook;
  live: Map<string, LiveCall>;
  /** The streams and sessions of the latest calls, by the id of the call, for what was said in them. */
  streams: Map<string, JoinedSocket[]>;
  voiceNumbers: Map<string, VoiceNumber>;
  /** When the account may dial its next call, in milliseconds since the epoch. */
  nextDialAt: number;
  /** Runs work in the background, without delaying the response. */
  beside(work: Promise<void>): void;
}
