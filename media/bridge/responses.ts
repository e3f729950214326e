import type { ModelUsage } from '../../providers/model/chat-model.js';
import type { RealtimeEvent, RealtimeSession, RealtimeToolCall } from '../../providers/realtime/realtime.js';

/** What a response is for. */
export type Purpose =
  /** An answer to the caller, or to the results of tools; also the first words. */
  | { kind: 'answer' }
  /** The words of a stored message, or of the greeting. */
  | { kind: 'say'; messageId: number; text: string }
  /** Tools take long. */
  | { kind: 'filler' }
  /** The last words. */
  | { kind: 'goodbye' };

export interface EndedResponse {
  responseId: string | undefined;
  purpose: Purpose;
  status: 'completed' | 'cancelled' | 'failed' | 'incomplete';
  /** Why it was cancelled: by the caller's words, or because it made no sound. */
  cancelledFor: CancelReason | undefined;
  reason: string | undefined;
  calls: readonly RealtimeToolCall[];
  brokenCallIds: readonly string[];
  usage: ModelUsage | undefined;
  hadSound: boolean;
}

export type CancelReason = 'interruption' | 'watchdog';

interface Current {
  request: number;
  purpose: Purpose;
  id: string | undefined;
  phase: 'requested' | 'active' | 'cancelling';
  requestEvent: string;
  cancelEvent: string | undefined;
  cancelledFor: CancelReason | undefined;
  hadSound: boolean;
}

export interface ResponseListener {
  ended(response: EndedResponse): void;
  /** The next response is possible. */
  freed(): void;
  /** The session does what was not asked of it any more, or nothing at all. */
  stuck(): void;
}

interface ResponseTimer {
  now(): number;
  set(name: 'response', ms: number, run: () => void): void;
  isSet(name: 'response'): boolean;
  clear(name: 'response'): void;
}

/** A response that makes nothing for so long is cancelled. */
const silentMs = 6_000;
/** So often in a row a session may say that a response is active that it cannot cancel. */
const maxTaken = 3;
/** A cancelled one that does not end in this time means that the session is stuck. */
const cancelMs = 3_000;

/**
 * One response at a time. The next one is asked for only after the end of the last one has been reported, and a refusal is matched to the
 * request that it is about.
 */
export class Responses {
  readonly #timers: ResponseTimer;
  readonly #listener: ResponseListener;
  #session: RealtimeSession | undefined;
  #current: Current | undefined;
  /** A response that is not ours, or not any more, and is still active. */
  #strangers = new Set<string>();
  /** The request to cancel one of which nothing was heard, and which the session says is active. */
  #blockedBy: string | undefined;
  /** How often the session has said so since one of our requests was taken. */
  #taken = 0;
  #requests = 0;
  #progressAt = 0;

  constructor(timers: ResponseTimer, listener: ResponseListener) {
    this.#timers = timers;
    this.#listener = listener;
  }

  get isFree(): boolean {
    return this.#current === undefined && this.#strangers.size === 0 && this.#blockedBy === undefined;
  }

  get current(): Readonly<Current> | undefined {
    return this.#current;
  }

  connect(session: RealtimeSession): void {
    this.#session = session;
  }

  /** @returns what the response that was lost with the session was for */
  disconnect(): Purpose | undefined {
    const lost = this.#current?.purpose;
    this.#session = undefined;
    this.#current = undefined;
    this.#strangers.clear();
    this.#blockedBy = undefined;
    this.#taken = 0;
    this.#timers.clear('response');
    return lost;
  }

  start(purpose: Purpose, options: { instructions?: string; withTools?: boolean } = {}): void {
    if (this.#session === undefined || !this.isFree) throw new Error('a response is not possible now');
    this.#requests += 1;
    const request = this.#requests;
    const requestEvent = this.#session.respond(request, options);
    this.#current = {
      request,
      purpose,
      id: undefined,
      phase: 'requested',
      requestEvent,
      cancelEvent: undefined,
      cancelledFor: undefined,
      hadSound: false,
    };
    this.#watch();
  }

  /** Something has come of the response. @returns whether it is wanted */
  progress(responseId: string, isSound: boolean): boolean {
    const current = this.#current;
    if (current?.id !== responseId || current.phase === 'cancelling') return false;
    current.hadSound ||= isSound;
    this.#watch();
    return true;
  }

  begun({ responseId, request }: Extract<RealtimeEvent, { type: 'response_begun' }>): void {
    const current = this.#current;
    if (current !== undefined && current.id === undefined && current.request === request) {
      current.id = responseId;
      this.#taken = 0;
      if (current.phase === 'requested') current.phase = 'active';
      return;
    }
    this.#strangers.add(responseId);
    this.#session?.cancel(responseId);
    this.#awaitEnd();
  }

  ended(event: Extract<RealtimeEvent, { type: 'response_ended' }>): void {
    this.#blockedBy = undefined;
    if (this.#strangers.delete(event.responseId) || this.#current?.id !== event.responseId) {
      this.#watchAfterStranger();
      // Its calls are owed an output as well.
      this.#listener.ended({
        ...event,
        purpose: { kind: 'answer' },
        status: 'cancelled',
        cancelledFor: 'interruption',
        hadSound: false,
      });
      return;
    }
    const { purpose, cancelledFor, hadSound } = this.#current;
    this.#end({ ...event, purpose, cancelledFor, hadSound });
  }

  #end(ended: EndedResponse): void {
    this.#current = undefined;
    this.#timers.clear('response');
    this.#listener.ended(ended);
  }

  cancel(reason: CancelReason): void {
    const current = this.#current;
    if (current === undefined || current.phase === 'cancelling') return;
    current.cancelEvent = this.#session?.cancel(current.id);
    current.phase = 'cancelling';
    current.cancelledFor = reason;
    this.#awaitEnd();
  }

  /** @returns whether the refusal was about a response */
  refused({ code, eventId }: Extract<RealtimeEvent, { type: 'refused' }>): boolean {
    const current = this.#current;
    // Also of one that has ended long since.
    const isOfEnded = code === 'response_cancel_not_active';
    if (eventId === undefined) return isOfEnded;
    if (eventId === this.#blockedBy) {
      this.#blockedBy = undefined;
      this.#timers.clear('response');
      if (this.#taken >= maxTaken) this.#listener.stuck();
      else this.#listener.freed();
      return true;
    }
    if (current === undefined) return isOfEnded;
    if (eventId === current.cancelEvent) {
      // Its end has come, or comes at once; if it has not begun there is none.
      if (current.id === undefined) this.#end(lost(current, 'cancelled', code));
      return true;
    }
    if (eventId !== current.requestEvent) return isOfEnded;
    const isTaken = code === 'conversation_already_has_active_response';
    if (isTaken) {
      this.#taken += 1;
      this.#blockedBy = this.#session?.cancel(undefined);
    }
    this.#end(lost(current, isTaken ? 'cancelled' : 'failed', code));
    if (isTaken) this.#awaitEnd();
    return true;
  }

  #awaitEnd(): void {
    this.#timers.set('response', cancelMs, () => this.#listener.stuck());
  }

  /** The end of a stranger is not awaited any more. */
  #watchAfterStranger(): void {
    if (this.#current?.phase === 'cancelling') return;
    this.#timers.clear('response');
    if (this.#current !== undefined) this.#watch();
  }

  #watch(): void {
    this.#progressAt = this.#timers.now();
    if (this.#timers.isSet('response') && this.#strangers.size === 0) return;
    this.#timers.set('response', silentMs, () => this.#checkProgress());
  }

  /** Set anew only when it is due: sound comes in many pieces. */
  #checkProgress(): void {
    const left = this.#progressAt + silentMs - this.#timers.now();
    if (left > 0) this.#timers.set('response', left, () => this.#checkProgress());
    else this.cancel('watchdog');
  }
}

function lost(
  { id, purpose, cancelledFor, hadSound }: Current,
  status: 'cancelled' | 'failed',
  reason: string,
): EndedResponse {
  const nothing = { calls: [], brokenCallIds: [], usage: undefined };
  return { responseId: id, purpose, status, cancelledFor, reason, hadSound, ...nothing };
}
