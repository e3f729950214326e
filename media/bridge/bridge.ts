import { setTimeout as delay } from 'node:timers/promises';
import { ProviderRefused, ProviderUnusable } from '../../providers/failures.js';
import type { RealtimeEvent, RealtimeModel, RealtimeToolCall } from '../../providers/realtime/realtime.js';
import { type BridgeLog, CommandQueue, firstPauseMs, nextPause } from './command-queue.js';
import type {
  BridgeClock,
  BridgedCall,
  BridgeEnd,
  BridgeEndReason,
  BridgeStop,
  CallBackend,
  CarrierStream,
  Recorder,
  ToolAnswers,
} from './ports.js';
import { VoiceSession } from './voice-session.js';
import type { Work } from './work.js';

export interface BridgeOptions {
  stream: CarrierStream;
  call: BridgedCall;
  backend: CallBackend;
  model: RealtimeModel;
  recorder: Recorder;
  clock: BridgeClock;
  log: BridgeLog;
  /** Aborted with a `BridgeStop`. */
  signal: AbortSignal;
  /** Aborted when the agent has to say goodbye, and then to end the call. */
  hangUp?: AbortSignal;
}

/** How long a session of the model is looked for, and tools are waited for at the end. Milliseconds. */
const max = { connecting: 20_000, tools: 30_000 };

/**
 * Joins a call with sessions of the model until one side has ended it. The stream is closed and everything is stored, as far as that is
 * possible, when this resolves; it never rejects.
 */
export function runBridge(options: BridgeOptions): Promise<BridgeEnd> {
  return new Bridge(options).run();
}

class Bridge implements Work {
  readonly #options: BridgeOptions;
  readonly #voice: VoiceSession;
  readonly #commandQueue: CommandQueue;
  readonly #over = new AbortController();
  #end: ((reason: BridgeEndReason) => void) | undefined;
  /** The calls of tools that run, of which there is one group at a time. */
  #tools: Promise<void> = Promise.resolve();
  /** That the agent ends the call is being noted. */
  #leaving: Promise<void> = Promise.resolve();
  #refusals = 0;

  constructor(options: BridgeOptions) {
    this.#options = options;
    const { stream, recorder, call, log } = options;
    const { beganAt, streamBeganMs } = call;
    this.#commandQueue = new CommandQueue({
      clock: options.clock,
      log,
      giveUp: () => this.#voice.refused(),
      endNow: () => {
        stream.close();
        this.#end?.('model_lost');
      },
    });
    const { clock } = this.#commandQueue;
    const times = { beganAt, streamBeganMs };
    this.#voice = new VoiceSession({ stream, recorder, work: this, clock, ...times });
  }

  async run(): Promise<BridgeEnd> {
    const { stream, recorder, signal, hangUp } = this.#options;
    const ended = new Promise<BridgeEndReason>((resolve) => {
      this.#end = resolve;
    });
    const stop = () => this.#commandQueue.guarded(() => this.#voice.stop(signal.reason as BridgeStop));
    const sayGoodbye = () => this.#commandQueue.guarded(() => this.#voice.hangUp());
    signal.addEventListener('abort', stop, { once: true });
    hangUp?.addEventListener('abort', sayGoodbye, { once: true });
    let isBroken = false;
    this.connect();
    stream.listen({
      audio: (payload, timestampMs) =>
        this.#commandQueue.guarded(() => this.#voice.hear(payload, timestampMs)),
      key: (digit) => this.#commandQueue.guarded(() => this.#voice.press(digit)),
      marked: (name) => this.#commandQueue.guarded(() => this.#voice.marked(name)),
      ended: (how) => {
        isBroken = how !== 'stop';
        this.#commandQueue.guarded(() => this.#voice.left());
      },
    });
    if (signal.aborted) stop();
    if (hangUp?.aborted) sayGoodbye();
    const reason = await ended;
    signal.removeEventListener('abort', stop);
    hangUp?.removeEventListener('abort', sayGoodbye);
    this.#over.abort();
    await Promise.all([this.#commandQueue.settled, this.#leaving]);
    // What a tool has begun is recorded, although nobody hears of it.
    await Promise.race([this.#tools, delay(max.tools, undefined, { ref: false })]);
    await recorder.finish();
    return { reason: reason === 'caller_left' && isBroken ? 'closed' : reason };
  }

  connect(): void {
    void this.#open().catch((error: unknown) => {
      if (this.#over.signal.aborted) return;
      this.#commandQueue.warn('a call has no session of the model', error);
      this.#voice.refused();
    });
  }

  /** Tries again while the model is busy, and not if the account is at fault. */
  async #open(): Promise<void> {
    const { backend, model, clock } = this.#options;
    const until = clock.now() + max.connecting;
    for (let pause = firstPauseMs; ; pause = nextPause(pause)) {
      try {
        const opening = await backend.open();
        if (opening === 'over') {
          this.#voice.stop('superseded');
          return;
        }
        if (opening === 'no_model') {
          this.#voice.refused();
          return;
        }
        // Events that come before the session is handed over wait for it.
        const early: RealtimeEvent[] = [];
        let number: number | undefined;
        const take = (event: RealtimeEvent) => {
          if (number === undefined) early.push(event);
          else this.#commandQueue.guarded(() => this.#voice.take(number as number, event));
        };
        const session = await model.connect(opening.settings, take, this.#over.signal);
        number = this.#voice.opened(session, opening);
        for (const event of early) take(event);
        return;
      } catch (error) {
        const isLasting = error instanceof ProviderUnusable || error instanceof ProviderRefused;
        if (this.#over.signal.aborted || isLasting || clock.now() + pause > until) throw error;
        await delay(pause, undefined, { signal: this.#over.signal });
      }
    }
  }

  store(said: Parameters<Work['store']>[0]): void {
    this.#commandQueue.inOrder('store', () => this.#options.backend.store(said));
  }

  played(messageId: number, played: Parameters<Work['played']>[1]): void {
    this.#commandQueue.inOrder(
      'played',
      () => this.#options.backend.played(messageId, played),
      (news) => this.#voice.messagePlayed(messageId, news ?? unchanged),
    );
  }

  bookResponse(usage: Parameters<Work['bookResponse']>[0]): void {
    this.#commandQueue.inOrder('book', () => this.#options.backend.bookResponse(usage));
  }

  bookTranscription(itemId: string, usage: Parameters<Work['bookTranscription']>[1]): void {
    this.#commandQueue.inOrder('book', () => this.#options.backend.bookTranscription(itemId, usage));
  }

  takeKeys(field: string, digits: string): void {
    this.#commandQueue.inOrder(
      'keys',
      () => this.#options.backend.takeKeys(field, digits),
      (taken) => this.#voice.keysTaken(taken ?? { told: keysLost, news: unchanged }),
    );
  }

  /** Beside the others: what is stored does not wait for a slow tool. Each call has an output, whatever happens. */
  runTools(responseId: string, calls: readonly RealtimeToolCall[]): void {
    this.#tools = this.#commandQueue
      .persistently('tools', () => this.#options.backend.runTools(responseId, calls))
      .then((tried) => tried?.result ?? unavailable(calls))
      .then((answers) => this.#commandQueue.guarded(() => this.#voice.toolsDone(responseId, answers)));
  }

  look(): void {
    this.#commandQueue.look(
      () => this.#options.backend.look(),
      (news) => this.#voice.news(news),
    );
  }

  leave(reason: BridgeEndReason, byItself: boolean): void {
    const { backend, stream } = this.#options;
    if (!byItself || reason !== 'agent_ended') {
      stream.close();
      return;
    }
    // The handler asks for it as soon as the stream is closed.
    this.#leaving = this.#commandQueue
      .persistently('end', () => backend.endCall())
      .then(() => stream.close());
  }

  /** Told once: a model that takes one request no more may refuse many. */
  refused(code: string): void {
    this.#refusals += 1;
    if (this.#refusals === 1) this.#options.log.warn({ code }, 'the model has refused a request of a call');
  }

  closed(reason: BridgeEndReason): void {
    this.#end?.(reason);
  }
}

const unchanged = { isCurrent: true };
const keysLost = 'The keys could not be taken. Ask for them again.';

function unavailable(calls: readonly RealtimeToolCall[]): ToolAnswers {
  const output = JSON.stringify({ ok: false, error: 'temporarily_unavailable' });
  return { outputs: calls.map(({ callId }) => ({ callId, output })), news: unchanged };
}
