import type { ModelMessage, ModelTool, ModelUsage } from '../../providers/model/chat-model.js';
import type { BackendNews, CallBackend, Conduct } from '../bridge/ports.js';

/** The carrier's session of text of a call: it writes down what the caller says, and speaks what it is sent. */
export interface RelayLine {
  readonly streamId: string;
  readonly carrierCallId: string;
  /** Called once. Events that came before are passed on at once. */
  listen(events: RelayEvents): void;
  /** A piece of an utterance. What does not end a sentence is spoken once the last piece has come, which may be empty. */
  say(text: string, isLast: boolean): void;
  /** Ends the session: the carrier asks the handler what follows. */
  close(): void;
}

export interface RelayEvents {
  /** What the caller has said. */
  said(text: string): void;
  /** The caller has made a sound, and the carrier has dropped what was not spoken yet. */
  interrupted(interruption: Interruption): void;
  key(digit: string): void;
  speaking(who: 'agent' | 'caller', isOn: boolean): void;
  /** The carrier has not taken a message. */
  refused(): void;
  /** The last event. */
  ended(reason: 'closed' | 'error'): void;
}

export interface Interruption {
  /** The words that were heard of what was being spoken. It may be only the latest sentence, or nothing. */
  heard: string;
  /** For how long it had been heard. */
  afterMs: number | undefined;
}

/** A request to the chat model, which the ledger knows already. */
export interface SpokenRequest {
  /** The id of its booking. */
  bookingId: string;
  model: string;
  config: Record<string, unknown>;
  /** The instructions, and what was said and done so far. */
  messages: ModelMessage[];
  tools: ModelTool[];
}

/** What a call by text begins with. */
export interface RelayOpening {
  conduct: Conduct;
  /** What the model is told for its first words; undefined: it waits for the caller. */
  firstWords: string | undefined;
  /** Words that are said first of all, exactly so, instead of the model's own; the caller speaks next. */
  greeting?: string;
  news: BackendNews;
}

/** The domain, as one attempt of one call sees it that is held by text. */
export interface RelayBackend
  extends Pick<CallBackend, 'store' | 'played' | 'runTools' | 'takeKeys' | 'look' | 'endCall'> {
  /** @returns undefined if the attempt or the call is over */
  openRelay(): Promise<RelayOpening | undefined>;
  /** @returns `no_model` if there is none, or no credits are left; undefined if the attempt or the call is over */
  ask(): Promise<SpokenRequest | 'no_model' | undefined>;
  bookAnswer(bookingId: string, usage: ModelUsage): Promise<void>;
  /** Of a request whose answer is lost. @param characters of the answer that came; undefined: it has cost nothing */
  bookLostAnswer(bookingId: string, characters: number | undefined): Promise<void>;
}
