import { setTimeout as delay } from 'node:timers/promises';
import { ProviderRefused, ProviderUnusable } from '../../providers/failures.js';
import type { RealtimeEvent, RealtimeModel, RealtimeToolCall } from '../../providers/realtime/realtime.js';
import { Conversation } from './conversation.js';
import type {
  BridgeClock,
  BridgedCall,
  BridgeEnd,
  BridgeEndReason,
  BridgeStop,
  CallDesk,
  CarrierStream,
  Recorder,
  ToolAnswers,
} from './ports.js';
import type { Work } from './work.js';

export interface BridgeLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

export interface BridgeOptions {
  stream: CarrierStream;
  call: BridgedCall;
  desk: CallDesk;
  model: RealtimeModel;
  recorder: Recorder;
  clock: BridgeClock;
  log: BridgeLog;
  /** Aborted with a `BridgeStop`. */
  signal: AbortSignal;
}

/** How long a session of the model is looked for, and what is stored is tried again. Milliseconds. */
const longest = { connecting: 20_000, storing: 10_000, tools: 30_000, ending: 5_000 };
const firstPauseMs = 200;
const longestPauseMs = 2_000;
/** How many commands of the domain a call may have waiting: a few minutes of talking. */
const mostWaiting = 200;

/**
 * Joins a call with sessions of the model until one side has ended it. The stream is closed and everything is stored, as far as that is
 * possible, when this resolves; it never rejects.
 */
export function runBridge(options: BridgeOptions): Promise<BridgeEnd> {
  return new Bridge(options).run();
}

class Bridge implements Work {
  readonly #options: BridgeOptions;
  readonly #conversation: Conversation;
  readonly #over = new AbortController();
  #end: ((reason: BridgeEndReason) => void) | undefined;
  /** Commands of the domain, one after the other, so that what was said is stored in its order. */
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** The calls of tools that run, of which there is one group at a time. */
  #tools: Promise<void> = Promise.resolve();
  #isLooking = false;

  constructor(options: BridgeOptions) {
    this.#options = options;
    const { stream, recorder, call } = options;
    const { streamBeganMs } = call;
    const clock: BridgeClock = {
      now: () => options.clock.now(),
      after: (ms, run) => options.clock.after(ms, () => this.#guarded(run)),
    };
    this.#conversation = new Conversation({ stream, recorder, work: this, clock, streamBeganMs });
  }

  async run(): Promise<BridgeEnd> {
    const { stream, recorder, signal } = this.#options;
    const ended = new Promise<BridgeEndReason>((resolve) => {
      this.#end = resolve;
    });
    const stop = () => this.#guarded(() => this.#conversation.stop(signal.reason as BridgeStop));
    signal.addEventListener('abort', stop, { once: true });
    this.connect();
    stream.listen({
      audio: (payload, timestampMs) => this.#guarded(() => this.#conversation.hear(payload, timestampMs)),
      key: (digit) => this.#guarded(() => this.#conversation.press(digit)),
      marked: (name) => this.#guarded(() => this.#conversation.marked(name)),
      ended: () => this.#guarded(() => this.#conversation.left()),
    });
    if (signal.aborted) stop();
    const reason = await ended;
    signal.removeEventListener('abort', stop);
    this.#over.abort();
    await this.#queue;
    // What a tool has begun is recorded, although nobody hears of it.
    await Promise.race([this.#tools, delay(longest.tools, undefined, { ref: false })]);
    await recorder.finish();
    return { reason };
  }

  connect(): void {
    void this.#open().catch((error: unknown) => {
      if (this.#over.signal.aborted) return;
      this.#warn('a call has no session of the model', error);
      this.#conversation.refused();
    });
  }

  /** Tries again while the model is busy, and not if the account is at fault. */
  async #open(): Promise<void> {
    const { desk, model, clock } = this.#options;
    const until = clock.now() + longest.connecting;
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      try {
        const opening = await desk.open();
        if (opening === 'over') {
          this.#conversation.stop('superseded');
          return;
        }
        if (opening === 'no_model') {
          this.#conversation.refused();
          return;
        }
        // Events that come before the session is handed over wait for it.
        const early: RealtimeEvent[] = [];
        let number: number | undefined;
        const take = (event: RealtimeEvent) => {
          if (number === undefined) early.push(event);
          else this.#guarded(() => this.#conversation.take(number as number, event));
        };
        const session = await model.connect(opening.settings, take, this.#over.signal);
        number = this.#conversation.opened(session, opening);
        for (const event of early) take(event);
        return;
      } catch (error) {
        const isLasting = error instanceof ProviderUnusable || error instanceof ProviderRefused;
        if (this.#over.signal.aborted || isLasting || clock.now() + pause > until) throw error;
        await delay(pause, undefined, { signal: this.#over.signal });
      }
    }
  }

  /** An error of ours ends the call, which returns to the handler, instead of leaving it in silence. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#warn('a bridge failed', error);
      this.#giveUp();
    }
  }

  /** Ends the bridge, also if that fails: what has been said may then not be stored. */
  #giveUp(): void {
    const end = this.#end;
    const timer = setTimeout(() => {
      this.#options.stream.close();
      end?.('model_lost');
    }, longest.ending);
    timer.unref();
    try {
      this.#conversation.refused();
    } catch (error) {
      this.#warn('a bridge could not end', error);
    }
  }

  store(said: Parameters<Work['store']>[0]): void {
    this.#inOrder('store', () => this.#options.desk.store(said));
  }

  played(messageId: number, played: Parameters<Work['played']>[1]): void {
    this.#inOrder(
      'played',
      () => this.#options.desk.played(messageId, played),
      (news) => this.#conversation.said(messageId, news ?? unchanged),
    );
  }

  bookResponse(usage: Parameters<Work['bookResponse']>[0]): void {
    this.#inOrder('book', () => this.#options.desk.bookResponse(usage));
  }

  bookTranscription(itemId: string, usage: Parameters<Work['bookTranscription']>[1]): void {
    this.#inOrder('book', () => this.#options.desk.bookTranscription(itemId, usage));
  }

  takeKeys(field: string, digits: string): void {
    this.#inOrder(
      'keys',
      () => this.#options.desk.takeKeys(field, digits),
      (taken) => this.#conversation.keysTaken(taken ?? { told: keysLost, news: unchanged }),
    );
  }

  /** Beside the others: what is stored does not wait for a slow tool. Each call has an output, whatever happens. */
  runTools(responseId: string, calls: readonly RealtimeToolCall[]): void {
    this.#tools = this.#persistently('tools', () => this.#options.desk.runTools(responseId, calls))
      .then((answers) => answers ?? unavailable(calls))
      .then((answers) => this.#guarded(() => this.#conversation.toolsDone(responseId, answers)));
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

  leave(reason: BridgeEndReason, byItself: boolean): void {
    const { desk, stream } = this.#options;
    if (!byItself || reason !== 'agent_ended') {
      stream.close();
      return;
    }
    // The handler asks for it as soon as the stream is closed.
    void this.#persistently('end', () => desk.endCall()).then(() => stream.close());
  }

  closed(reason: BridgeEndReason): void {
    this.#end?.(reason);
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
      const result = await this.#persistently(what, work);
      this.#waiting -= 1;
      this.#guarded(() => then(result));
    });
  }

  /** Tries again for some seconds if the database fails. @returns undefined if it fails for good */
  async #persistently<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const { clock } = this.#options;
    const until = clock.now() + longest.storing;
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      try {
        return await work();
      } catch (error) {
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
    const code =
      error instanceof Error && 'code' in error && typeof error.code === 'string'
        ? error.code
        : error instanceof Error
          ? error.name
          : 'unknown';
    this.#options.log.warn({ workspaceId, callId, attempt, code }, message);
  }
}

const unchanged = { isCurrent: true };
const keysLost = 'The keys could not be taken. Ask for them again.';

function unavailable(calls: readonly RealtimeToolCall[]): ToolAnswers {
  const output = JSON.stringify({ ok: false, error: 'temporarily_unavailable' });
  return { outputs: calls.map(({ callId }) => ({ callId, output })), news: unchanged };
}
