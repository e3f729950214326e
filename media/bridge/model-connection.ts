import type { RealtimeEvent, RealtimeSession } from '../../providers/realtime/realtime.js';
import { type Agenda, maxFailures } from './agenda.js';
import type { AgentSpeech } from './agent-speech.js';
import type { Backpressure } from './backpressure.js';
import type { Caller, SpeechEvent } from './caller.js';
import { greetingId } from './messages-to-say.js';
import type { ModelSessions } from './model-sessions.js';
import type { BridgeEndReason, CallOpening } from './ports.js';
import type { EndedResponse, Purpose, Responses } from './responses.js';
import type { ToolCalls } from './tool-calls.js';
import { UsageEstimate } from './usage-estimate.js';
import { inaudible, tellings } from './words.js';
import type { Work } from './work.js';

/** After a failure of the model. Milliseconds. */
const retryMs = 500;

/** Reasons of failed responses that do not pass while a call waits. */
const accountCodes: ReadonlySet<string | undefined> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'account_deactivated',
]);

/** The call, as far as its end matters for the model. */
export interface ConnectedCall {
  /** Nothing is said any more: only the caller's last words are of interest. */
  readonly isOver: boolean;
  finish(reason: BridgeEndReason): void;
  /** Closes a call that is over, unless words of the caller are still to come. */
  closeWhenHeard(): void;
}

export interface ModelConnectionOptions {
  call: ConnectedCall;
  timers: { set(name: 'retry', ms: number, run: () => void): void };
  work: Pick<Work, 'connect' | 'refused' | 'bookResponse' | 'bookTranscription'>;
  agenda: Agenda;
  model: ModelSessions;
  responses: Responses;
  speech: AgentSpeech;
  caller: Caller;
  tools: ToolCalls;
  backpressure: Backpressure;
}

/**
 * What the sessions of the model report: events go to the parts of the call, failures are tried again, and lost
 * sessions are replaced.
 */
export class ModelConnection {
  readonly #options: ModelConnectionOptions;
  readonly #estimate = new UsageEstimate();

  constructor(options: ModelConnectionOptions) {
    this.#options = options;
  }

  // A session begins

  /** @returns the number of the session, which its events are passed on with */
  opened(session: RealtimeSession, opening: CallOpening): number {
    const { agenda, backpressure, caller, model, responses } = this.#options;
    model.opened(session);
    responses.connect(session);
    backpressure.connect(session);
    this.#estimate.opened(opening.settings);
    if (model.number === 1) this.#begin(opening);
    else this.#resume(opening);
    caller.connect(session);
    agenda.conductBy(opening.conduct);
    agenda.apply(opening.news);
    return model.number;
  }

  #begin({ firstWords, greeting }: CallOpening): void {
    const { agenda, model } = this.#options;
    model.reportUntold();
    if (greeting !== undefined) agenda.messages.add([{ messageId: greetingId, text: greeting }]);
    else if (firstWords !== undefined) {
      model.note(firstWords);
      agenda.owe('answer');
    }
  }

  #resume({ firstWords, greeting }: CallOpening): void {
    const { agenda, model, speech } = this.#options;
    for (const text of speech.texts) model.tell({ role: 'assistant', text });
    model.reportUntold();
    if (!agenda.owesAnswer) return;
    const isStarted = speech.hasStarted || greeting !== undefined;
    model.note(isStarted ? tellings.goOn : (firstWords ?? tellings.goOn));
  }

  // What it reports

  take(session: number, event: RealtimeEvent): void {
    const { call, model, speech, backpressure, responses, work } = this.#options;
    if (!model.isCurrent(session)) return;
    switch (event.type) {
      case 'audio':
        this.#estimate.spoke(event.responseId, event.payload);
        if (!call.isOver && speech.play(event)) backpressure.afterSpeaking();
        break;
      case 'spoken':
        speech.addWords(event);
        break;
      case 'transcribed':
        if (event.usage !== undefined) work.bookTranscription(event.itemId, event.usage);
        this.#transcribed(event.itemId, event.text.trim());
        break;
      case 'not_transcribed':
        this.#transcribed(event.itemId, inaudible);
        break;
      case 'closed':
        this.#brokeOff();
        break;
      case 'response_ended':
        responses.ended(event);
        break;
      default:
        if (!call.isOver) this.#takeTurn(event);
    }
  }

  #takeTurn(event: TurnEvent): void {
    const { caller, responses, speech, work } = this.#options;
    switch (event.type) {
      case 'response_begun':
        responses.begun(event);
        break;
      case 'item_begun':
        speech.itemStarted(event);
        break;
      case 'refused':
        if (!responses.refused(event)) work.refused(event.code);
        break;
      default:
        caller.takeSpeech(event);
    }
  }

  #transcribed(itemId: string, text: string): void {
    const { call, caller } = this.#options;
    caller.transcribed(itemId, text, call.isOver);
    if (call.isOver) call.closeWhenHeard();
  }

  // The end of a response

  responseEnded(response: EndedResponse): void {
    const { agenda, call, model, speech, tools, work } = this.#options;
    const { responseId, usage, purpose, hadSound, status } = response;
    if (responseId !== undefined && usage !== undefined) {
      this.#estimate.ended(usage);
      work.bookResponse({ responseId, ...usage });
    }
    const isDone = status === 'completed' || status === 'incomplete';
    speech.responseEnded(responseId, isDone);
    if (call.isOver) return;
    const hasWorked = tools.begin(response, isDone) || hadSound;
    if (hasWorked) model.hasWorked();
    if (isDone && hasWorked) agenda.hasWorked();
    else if (status === 'completed') {
      if (purpose.kind === 'say') agenda.messages.sayAgain(purpose.messageId);
      agenda.hadNothingToSay(purpose.kind);
    } else if (response.cancelledFor !== 'interruption') this.#tryAgain(response);
    agenda.goOn();
  }

  /** The model has failed, made no sound, or was busy: what it owes is asked for again. */
  #tryAgain({ purpose, status, reason }: EndedResponse): void {
    const { agenda, call, timers } = this.#options;
    const failures =
      reason === 'conversation_already_has_active_response' ? agenda.failures : agenda.hasFailed();
    this.#oweAgain(purpose);
    if (status === 'failed') timers.set('retry', retryMs, () => agenda.goOn());
    if (failures < maxFailures && !accountCodes.has(reason)) return;
    // A session that makes no sound is replaced once.
    if (status !== 'failed' && failures === maxFailures) this.reconnect();
    else call.finish('model_lost');
  }

  #oweAgain(purpose: Purpose): void {
    const { agenda, speech } = this.#options;
    if (purpose.kind === 'say') speech.sayAgain(purpose.messageId);
    else agenda.owe(purpose.kind);
  }

  /** The end of a response that has begun is not reported any more, and is billed all the same. */
  bookLost(responseId: string | undefined): void {
    if (responseId !== undefined) this.#options.work.bookResponse(this.#estimate.of(responseId));
  }

  // The end of a session

  reconnect(): void {
    const session = this.#options.model.current;
    this.#lost();
    session?.close();
  }

  #brokeOff(): void {
    const { call, model } = this.#options;
    if (model.isYoung && !call.isOver) this.replaceFailed();
    else this.#lost();
  }

  /** Sessions that break off at once, or do nothing, are replaced a few times only: the caller hears nothing. */
  replaceFailed(): void {
    const { call, model } = this.#options;
    if (model.hasFailed() >= maxFailures) call.finish('model_lost');
    this.reconnect();
  }

  /** What the carrier has is played on; what the model owes is owed by the next session. */
  #lost(): void {
    const { backpressure, call, caller, model, responses, speech, work } = this.#options;
    if (!model.lost()) return;
    caller.disconnect();
    if (call.isOver) {
      call.closeWhenHeard();
      return;
    }
    const responseId = responses.current?.id;
    this.bookLost(responseId);
    const purpose = responses.disconnect();
    speech.sessionLost(responseId);
    if (purpose !== undefined) this.#oweAgain(purpose);
    backpressure.disconnect();
    work.connect();
  }
}

type TurnEvent = SpeechEvent | Extract<RealtimeEvent, { type: 'response_begun' | 'item_begun' | 'refused' }>;
