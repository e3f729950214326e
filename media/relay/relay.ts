import { ProviderRefused, ProviderUnusable } from '../../providers/failures.js';
import { type ChatModel, type ModelToolCall, mayHaveCost } from '../../providers/model/chat-model.js';
import { type BridgeLog, CommandQueue } from '../bridge/command-queue.js';
import type {
  BackendNews,
  BridgeClock,
  BridgedCall,
  BridgeEnd,
  BridgeEndReason,
  BridgeStop,
} from '../bridge/ports.js';
import type { RelayBackend, RelayLine } from './ports.js';
import { RelaySession } from './relay-session.js';
import { spokenMessages } from './spoken-messages.js';
import type { Asking, RelayWork } from './work.js';

export interface RelayOptions {
  line: RelayLine;
  call: BridgedCall;
  backend: RelayBackend;
  model: ChatModel;
  clock: BridgeClock;
  log: BridgeLog;
  /** Aborted with a `BridgeStop`. */
  signal: AbortSignal;
  /** Aborted when the agent has to say goodbye, and then to end the call. */
  hangUp?: AbortSignal;
}

const unchanged: BackendNews = { isCurrent: true };
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
  readonly #voice: RelaySession;
  readonly #commandQueue: CommandQueue;
  readonly #over = new AbortController();
  readonly #answers = new Map<number, AbortController>();
  #end: ((end: { reason: BridgeEndReason; byItself: boolean }) => void) | undefined;
  #refusals = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { line, clock, call, log } = options;
    const { beganAt, streamBeganMs } = call;
    this.#commandQueue = new CommandQueue({
      clock,
      log,
      giveUp: () => this.#voice.lost(),
      endNow: () => this.#end?.({ reason: 'model_lost', byItself: false }),
    });
    this.#voice = new RelaySession({
      line,
      work: this,
      clock: this.#commandQueue.clock,
      beganAt,
      streamBeganMs,
    });
  }

  async run(): Promise<BridgeEnd> {
    const { line, signal, hangUp, backend } = this.#options;
    const ended = new Promise<{ reason: BridgeEndReason; byItself: boolean }>((resolve) => {
      this.#end = resolve;
    });
    const guarded = (work: () => void) => this.#commandQueue.guarded(work);
    const stop = () => guarded(() => this.#voice.stop(signal.reason as BridgeStop));
    const sayGoodbye = () => guarded(() => this.#voice.hangUp());
    signal.addEventListener('abort', stop, { once: true });
    hangUp?.addEventListener('abort', sayGoodbye, { once: true });
    let isBroken = false;
    this.open();
    line.listen({
      said: (text) => guarded(() => this.#voice.said(text)),
      interrupted: (interruption) => guarded(() => this.#voice.interrupted(interruption)),
      key: (digit) => guarded(() => this.#voice.press(digit)),
      speaking: (who, isOn) => guarded(() => this.#voice.speaking(who, isOn)),
      refused: () => this.#recordRefusal(),
      ended: (how) => {
        isBroken = how === 'error';
        guarded(() => this.#voice.left());
      },
    });
    if (signal.aborted) stop();
    if (hangUp?.aborted) sayGoodbye();
    const { reason, byItself } = await ended;
    signal.removeEventListener('abort', stop);
    hangUp?.removeEventListener('abort', sayGoodbye);
    this.#over.abort();
    // The handler asks for it as soon as the session is closed.
    if (byItself && reason === 'agent_ended') this.#commandQueue.inOrder('end', () => backend.endCall());
    await this.#commandQueue.settled;
    return { reason: reason === 'caller_left' && isBroken ? 'closed' : reason };
  }

  /** The session goes on without the message. Told once: a carrier that takes none refuses each. */
  #recordRefusal(): void {
    this.#refusals += 1;
    if (this.#refusals === 1)
      this.#commandQueue.warn('the carrier has refused a message of a call', undefined);
  }

  open(): void {
    void this.#commandQueue
      .persistently('open', () => this.#options.backend.openRelay(), this.#over.signal)
      .then((tried) => {
        this.#commandQueue.guarded(() => {
          if (tried === undefined) this.#voice.lost();
          else if (tried.result === undefined) this.#voice.stop('superseded');
          else this.#voice.opened(tried.result);
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
        this.#commandQueue.warn('a call has no answer of the model', error);
        const isLasting = error instanceof ProviderUnusable || error instanceof ProviderRefused;
        this.#commandQueue.guarded(() => this.#voice.failed(answer, isLasting));
      })
      .finally(() => this.#answers.delete(answer));
  }

  async #ask(answer: number, asking: Asking, signal: AbortSignal): Promise<void> {
    const { backend, model } = this.#options;
    // What was said before is stored first.
    await this.#commandQueue.settled;
    signal.throwIfAborted();
    const request = await backend.ask();
    if (request === undefined) {
      this.#commandQueue.guarded(() => this.#voice.stop('superseded'));
      return;
    }
    if (request === 'no_model') {
      this.#commandQueue.guarded(() => this.#voice.failed(answer, true));
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
          this.#commandQueue.guarded(() => this.#voice.piece(answer, text));
        },
      });
      calls = answered.toolCalls;
      this.#commandQueue.inOrder('book', () => backend.bookAnswer(bookingId, answered.usage));
    } catch (error) {
      const isCharged = signal.aborted || mayHaveCost(error);
      this.#commandQueue.inOrder('book', () =>
        backend.bookLostAnswer(bookingId, isCharged ? characters : undefined),
      );
      throw error;
    }
    this.#commandQueue.guarded(() => this.#voice.answered(answer, calls));
  }

  abort(answer: number): void {
    this.#answers.get(answer)?.abort();
  }

  store(said: Parameters<RelayWork['store']>[0]): void {
    this.#commandQueue.inOrder('store', () => this.#options.backend.store(said));
  }

  played(messageId: number, played: Parameters<RelayWork['played']>[1]): void {
    this.#commandQueue.inOrder(
      'played',
      () => this.#options.backend.played(messageId, played),
      (news) => this.#voice.messagePlayed(messageId, news ?? unchanged),
    );
  }

  takeKeys(field: string, digits: string): void {
    this.#commandQueue.inOrder(
      'keys',
      () => this.#options.backend.takeKeys(field, digits),
      (taken) => this.#voice.keysTaken(taken ?? { told: keysLost, news: unchanged }),
    );
  }

  /** Beside the others: what is stored does not wait for a slow tool. */
  runTools(responseId: string, calls: readonly ModelToolCall[]): void {
    const named = calls.map(({ id: callId, name, arguments: given }) => ({ callId, name, arguments: given }));
    void this.#commandQueue
      .persistently('tools', () => this.#options.backend.runTools(responseId, named))
      .then((tried) =>
        this.#commandQueue.guarded(() => this.#voice.toolsDone(responseId, tried?.result.news ?? unchanged)),
      );
  }

  look(): void {
    this.#commandQueue.look(
      () => this.#options.backend.look(),
      (news) => this.#voice.news(news),
    );
  }

  ended(reason: BridgeEndReason, byItself: boolean): void {
    this.#end?.({ reason, byItself });
  }
}
