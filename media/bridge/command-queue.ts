import { setTimeout as delay } from 'node:timers/promises';
import { safeCode } from '../../runtime/error-codes.js';
import type { BridgeClock } from './ports.js';

export interface BridgeLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

export interface CommandQueueOptions {
  clock: BridgeClock;
  /** Its lines have the ids of the call. */
  log: BridgeLog;
  /** Ends the call after an error of ours. */
  giveUp(): void;
  /** Ends the bridge if the voice session has not, some seconds later. May come after the end. */
  endNow(): void;
}

/** For how long a command is tried again, and an end is waited for. Milliseconds. */
const max = { storing: 10_000, ending: 5_000 };
/** The pause before the second attempt. */
export const firstPauseMs = 200;
const maxPauseMs = 2_000;
/** How many commands of the domain a call may have waiting: a few minutes of talking. */
const maxWaiting = 200;

/** The pause after one of `pauseMs`. */
export function nextPause(pauseMs: number): number {
  return Math.min(2 * pauseMs, maxPauseMs);
}

/**
 * The commands of the domain that a call gives, one after the other and tried again for some seconds; and what happens after an error
 * of ours, which ends the bridge, so that the call returns to the handler instead of being left in silence.
 */
export class CommandQueue {
  readonly #options: CommandQueueOptions;
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isLooking = false;

  constructor(options: CommandQueueOptions) {
    this.#options = options;
  }

  /** Resolves when the commands that were given until now are done, or given up. */
  get settled(): Promise<void> {
    return this.#queue;
  }

  /** The clock of the call, whose timers are guarded. */
  get clock(): BridgeClock {
    const { clock } = this.#options;
    return {
      now: () => clock.now(),
      after: (ms, run) => clock.after(ms, () => this.guarded(run)),
    };
  }

  /** @param then is always called, later: with the result, or undefined if there is none */
  inOrder<Result>(
    what: string,
    work: () => Promise<Result>,
    then: (result: Result | undefined) => void = () => undefined,
  ): void {
    if (this.#waiting >= maxWaiting) {
      this.warn(`a call could not ${what}: too much waits`, undefined);
      void Promise.resolve().then(() => this.guarded(() => then(undefined)));
      return;
    }
    this.#waiting += 1;
    this.#queue = this.#queue.then(async () => {
      const tried = await this.persistently(what, work);
      this.#waiting -= 1;
      this.guarded(() => then(tried?.result));
    });
  }

  /** Tries again for some seconds if the database fails. @returns undefined if it fails for good, or `signal` is aborted */
  async persistently<Result>(
    what: string,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<{ result: Result } | undefined> {
    const { clock } = this.#options;
    const until = clock.now() + max.storing;
    for (let pause = firstPauseMs; ; pause = nextPause(pause)) {
      try {
        return { result: await work() };
      } catch (error) {
        if (signal?.aborted === true) return undefined;
        if (clock.now() + pause > until) {
          this.warn(`a call could not ${what}`, error);
          return undefined;
        }
        await delay(pause);
      }
    }
  }

  /** Looks once, unless a look is under way. */
  look<News>(work: () => Promise<News>, then: (news: News) => void): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    void work()
      .then((news) => this.guarded(() => then(news)))
      .catch((error: unknown) => this.warn('a call could not be looked at', error))
      .finally(() => {
        this.#isLooking = false;
      });
  }

  guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.warn('a bridge failed', error);
      this.#giveUp();
    }
  }

  /** Ends the bridge, also if that fails: what has been said may then not be stored. */
  #giveUp(): void {
    setTimeout(() => this.#options.endNow(), max.ending).unref();
    try {
      this.#options.giveUp();
    } catch (error) {
      this.warn('a bridge could not end', error);
    }
  }

  /** Messages of errors may quote the conversation. */
  warn(message: string, error: unknown): void {
    this.#options.log.warn({ code: safeCode(error) }, message);
  }
}
