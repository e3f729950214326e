import { setTimeout as delay } from 'node:timers/promises';
import { ProviderRefused, ProviderUnusable } from '../../providers/failures.js';
import { type ChatModel, type ModelToolCall, mayHaveCost } from '../../providers/model/chat-model.js';
import type { BridgeLog } from '../bridge/bridge.js';
import type {
  BridgeClock,
  BridgedCall,
  BridgeEnd,
  BridgeEndReason,
  BridgeStop,
  DeskNews,
} from '../bridge/ports.js';
import { RelayConversation } from './conversation.js';
import type { RelayDesk, RelayLine } from './ports.js';
import { spokenMessages } from './spoken-messages.js';
import type { Asking, RelayWork } from './work.js';

export interface RelayOptions {
  line: RelayLine;
  call: BridgedCall;
  desk: RelayDesk;
  model: ChatModel;
  clock: BridgeClock;
  log: BridgeLog;
  /** Aborted with a `BridgeStop`. */
  signal: AbortSignal;
}

/** How long what is stored is tried again. Milliseconds. */
const storingMs = 10_000;
const firstPauseMs = 200;
const longestPauseMs = 2_000;
/** How many commands of the domain a call may have waiting: a few minutes of talking. */
const mostWaiting = 200;
const unchanged: DeskNews = { isCurrent: true };
const keysLost = 'What the caller has entered by keys could not be stored. Ask for it again.';

/**
 * Holds a call by text until one side has ended it: a chat model answers what the caller says, and the carrier speaks. Everything is stored, as far as
 * that is possible, when this resolves; it never rejects, and does not close the line.
 */
export function runRelay(options: RelayOptions): Promise<BridgeEnd> {
  return new Relay(options).run();
}

class Relay implements RelayWork {
  readonly #options: RelayOptions;
  readonly #conversation: RelayConversation;
  readonly #over = new AbortController();
  readonly #answers = new Map<number, AbortController>();
  #end: ((end: { reason: BridgeEndReason; byItself: boolean }) => void) | undefined;
  /** Commands of the domain, one after the other, so that what was said is stored in its order, and known to the next answer. */
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #isLooking = false;
  #refusals = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { line, clock, call } = options;
    this.#conversation = new RelayConversation({
      line,
      work: this,
      clock,
      streamBeganMs: call.streamBeganMs,
    });
  }

  async run(): Promise<BridgeEnd> {
    const { line, signal, desk } = this.#options;
    const ended = new Promise<{ reason: BridgeEndReason; byItself: boolean }>((resolve) => {
      this.#end = resolve;
    });
    const stop = () => this.#conversation.stop(signal.reason as BridgeStop);
    signal.addEventListener('abort', stop, { once: true });
    this.open();
    line.listen({
      said: (text) => this.#conversation.said(text),
      interrupted: (interruption) => this.#conversation.interrupted(interruption),
      key: (digit) => this.#conversation.press(digit),
      speaking: (who, isOn) => this.#conversation.speaking(who, isOn),
      refused: () => this.#noteRefusal(),
      ended: () => this.#conversation.left(),
    });
    if (signal.aborted) stop();
    const { reason, byItself } = await ended;
    signal.removeEventListener('abort', stop);
    this.#over.abort();
    // The handler asks for it as soon as the session is closed.
    if (byItself && reason === 'agent_ended') this.#inOrder('end', () => desk.endCall());
    await this.#queue;
    return { reason };
  }

  /** The session goes on without the message. Told once: a carrier that takes none refuses each. */
  #noteRefusal(): void {
    this.#refusals += 1;
    if (this.#refusals === 1) this.#warn('the carrier has refused a message of a call', undefined);
  }

  open(): void {
    void this.#persistently('open', () => this.#options.desk.openRelay(), this.#over.signal).then((tried) => {
      this.#guarded(() => {
        if (tried === undefined) this.#conversation.lost();
        else if (tried.result === undefined) this.#conversation.stop('superseded');
        else this.#conversation.opened(tried.result);
      });
    });
  }

  ask(answer: number, asking: Asking): void {
    const controller = new AbortController();
    this.#answers.set(answer, controller);
    const signal = AbortSignal.any([controller.signal, this.#over.signal]);
    void this.#ask(answer, asking, signal)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        this.#warn('a call has no answer of the model', error);
        const isLasting = error instanceof ProviderUnusable || error instanceof ProviderRefused;
        this.#guarded(() => this.#conversation.failed(answer, isLasting));
      })
      .finally(() => this.#answers.delete(answer));
  }

  async #ask(answer: number, asking: Asking, signal: AbortSignal): Promise<void> {
    const { desk, model } = this.#options;
    // What was said before is stored first.
    await this.#queue;
    signal.throwIfAborted();
    const request = await desk.ask();
    if (request === undefined) {
      this.#guarded(() => this.#conversation.stop('superseded'));
      return;
    }
    if (request === 'no_model') {
      this.#guarded(() => this.#conversation.failed(answer, true));
      return;
    }
    const { bookingId, config, tools } = request;
    let characters = 0;
    let calls: readonly ModelToolCall[];
    try {
      const answered = await model.complete({
        model: request.model,
        config,
        messages: spokenMessages(request.messages, asking),
        tools: asking.withTools ? tools : [],
        signal,
        onToken: (text) => {
          characters += text.length;
          this.#guarded(() => this.#conversation.piece(answer, text));
        },
      });
      calls = answered.toolCalls;
      this.#inOrder('book', () => desk.bookAnswer(bookingId, answered.usage));
    } catch (error) {
      const isCharged = signal.aborted || mayHaveCost(error);
      this.#inOrder('book', () => desk.bookLostAnswer(bookingId, isCharged ? characters : undefined));
      throw error;
    }
    this.#guarded(() => this.#conversation.answered(answer, calls));
  }

  abort(answer: number): void {
    this.#answers.get(answer)?.abort();
  }

  store(said: Parameters<RelayWork['store']>[0]): void {
    this.#inOrder('store', () => this.#options.desk.store(said));
  }

  played(messageId: number, played: Parameters<RelayWork['played']>[1]): void {
    this.#inOrder(
      'played',
      () => this.#options.desk.played(messageId, played),
      (news) => this.#conversation.messagePlayed(messageId, news ?? unchanged),
    );
  }

  takeKeys(field: string, digits: string): void {
    this.#inOrder(
      'keys',
      () => this.#options.desk.takeKeys(field, digits),
      (taken) => this.#conversation.keysTaken(taken ?? { told: keysLost, news: unchanged }),
    );
  }

  /** Beside the others: what is stored does not wait for a slow tool. */
  runTools(responseId: string, calls: readonly ModelToolCall[]): void {
    const named = calls.map(({ id: callId, name, arguments: given }) => ({ callId, name, arguments: given }));
    void this.#persistently('tools', () => this.#options.desk.runTools(responseId, named)).then((tried) =>
      this.#guarded(() => this.#conversation.toolsDone(responseId, tried?.result.news ?? unchanged)),
    );
  }

  look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.#options.desk
      .look()
      .then((news) => this.#guarded(() => this.#conversation.news(news)))
      .catch((error: unknown) => this.#warn('a call could not be looked at', error))
      .finally(() => {
        this.#isLooking = false;
      });
  }

  ended(reason: BridgeEndReason, byItself: boolean): void {
    this.#end?.({ reason, byItself });
  }

  /** An error of ours ends the call, which returns to the handler, instead of leaving it in silence. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#warn('a call by text failed', error);
      this.#conversation.lost();
    }
  }

  /** @param then gets the result, or undefined if there is none */
  #inOrder<Result>(
    what: string,
    work: () => Promise<Result>,
    then: (result: Result | undefined) => void = () => undefined,
  ): void {
    if (this.#waiting >= mostWaiting) {
      this.#warn(`a call could not ${what}: too much waits`, undefined);
      return;
    }
    this.#waiting += 1;
    this.#queue = this.#queue.then(async () => {
      const tried = await this.#persistently(what, work);
      this.#waiting -= 1;
      this.#guarded(() => then(tried?.result));
    });
  }

  /** Tries again for some seconds if the database fails. @returns undefined if it fails for good */
  async #persistently<Result>(
    what: string,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<{ result: Result } | undefined> {
    const { clock } = this.#options;
    const until = clock.now() + storingMs;
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      try {
        return { result: await work() };
      } catch (error) {
        if (signal?.aborted === true) return undefined;
        if (clock.now() + pause > until) {
          this.#warn(`a call could not ${what}`, error);
          return undefined;
        }
        await delay(pause);
      }
    }
  }

  #warn(message: string, error: unknown): void {
    const { workspaceId, callId, attempt } = this.#options.call;
    this.#options.log.warn({ workspaceId, callId, attempt, code: codeOf(error) }, message);
  }
}

/** Messages of errors may quote the conversation. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
