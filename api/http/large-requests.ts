import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { ConnectionsBusy, FairSemaphore } from '../../db/database.js';
import { Unavailable } from '../../domain/lib/errors.js';
import { callerOf } from './caller.js';
import type { Route } from './define-route.js';
import { addressName } from './rate-limits/address-name.js';
import { bodyLimitBytes } from './read-body.js';
import { RecentCallers } from './recent-callers.js';

/** A request with a larger body is a large one. */
export const largeBodyBytes = 65_536;
/** Likewise a request to an operation that gave its workspace a longer answer lately, in characters. */
export const largeAnswerLength = 262_144;

/** What is received of a body in a millisecond of the event loop. */
const bytesOfAMs = 32_768;

export interface LargeRequestsOptions {
  /** Of a process at once. */
  atOnce: number;
  /** Of an account at once, until it has its answer. */
  ofAccount: number;
  /** Of a workspace at once: a member alone does not stop its colleagues. */
  ofWorkspace: number;
  /** Of an account, or of a workspace, that wait; beyond, they are refused. */
  maxWaiting: number;
  timeoutMs: number;
  /** How long an operation is taken for large after a large answer. */
  rememberedMs: number;
  /** How long a reader may take over a large answer before the next one of its account begins. */
  sendingMs: number;
  /** How long the account rests at most after a turn, while others ask: as long as the turn took. */
  mostRestMs: number;
  callers: RecentCallers;
}

const usual: Omit<LargeRequestsOptions, 'callers'> = {
  atOnce: 8,
  ofAccount: 1,
  ofWorkspace: 2,
  maxWaiting: 20,
  timeoutMs: 5_000,
  rememberedMs: 60_000,
  sendingMs: 10_000,
  mostRestMs: 500,
};

const mostRemembered = 10_000;

/** Where a request comes from, and the workspace that its path names. */
interface Place {
  ip: string;
  params?: { workspace_uuid?: string };
}

/** Of one request: what it takes of the process, and of its account. */
interface Turn {
  /** The answer is made: the process has room for the next one. */
  made(): void;
  /** The answer is sent: the account may go on. */
  sent(): void;
}

/**
 * Large requests, and the pieces of imports and exports, take turns: of an account there is one at a time. Parsing,
 * checking and writing a megabyte holds the event loop for tens of milliseconds, which all others wait for once for each
 * that is under way. Nothing that a client can be slow about takes a turn from others: a body is received before, and an
 * answer that waits for its reader keeps its own account waiting. While others ask, an account rests after each turn for as
 * long as the turn took, so that it has half of the event loop at most.
 */
export class LargeRequests {
  readonly #options: LargeRequestsOptions;
  readonly #accounts: FairSemaphore;
  readonly #making: FairSemaphore;
  /** Until when an operation of a workspace is taken for large. */
  readonly #remembered = new Map<string, number>();

  constructor(options: Partial<LargeRequestsOptions> = {}) {
    this.#options = { ...usual, callers: new RecentCallers(), ...options };
    const { atOnce, ofAccount, ofWorkspace, maxWaiting, timeoutMs } = this.#options;
    const waiting = { maxWaiting, timeoutMs };
    this.#accounts = new FairSemaphore({
      size: Number.POSITIVE_INFINITY,
      maxPerHolder: ofAccount,
      ...waiting,
    });
    this.#making = new FairSemaphore({ size: atOnce, maxPerHolder: ofWorkspace, ...waiting });
  }

  /** Whether a request is to be taken for a large one. */
  isLarge(ctx: Context, route: Route): boolean {
    const until = this.#remembered.get(nameOf(ctx, route));
    return bodyBytes(ctx) > largeBodyBytes || (until !== undefined && until > Date.now());
  }

  /**
   * Serves a request whose body is received, in turn if it is large.
   *
   * @throws ShareExceeded where too many of the caller's wait, Unavailable where those of others take too long
   */
  async serve(ctx: Context, route: Route, granted: unknown, serve: () => Promise<void>): Promise<void> {
    this.#options.callers.note(ownerOf(ctx, granted));
    if (!this.isLarge(ctx, route)) {
      await serve();
      this.#note(ctx, route);
      return;
    }
    const turn = await this.#take(ctx, granted, bodyBytes(ctx) / bytesOfAMs);
    try {
      await serve();
    } catch (error) {
      turn.made();
      turn.sent();
      throw error;
    }
    turn.made();
    this.#note(ctx, route);
    if (isLong(ctx)) whenSent(ctx.res, this.#options.sendingMs, turn.sent);
    else turn.sent();
  }

  /** Waits for a turn of the caller's. @returns ends it @throws as `serve` */
  async turn(ctx: Place, granted: unknown): Promise<() => void> {
    const { made, sent } = await this.#take(ctx, granted, 0);
    return () => {
      made();
      sent();
    };
  }

  /** @param costMs what was done for it before */
  async #take(ctx: Place, granted: unknown, costMs: number): Promise<Turn> {
    const owner = ownerOf(ctx, granted);
    const release = await this.#accounts.acquire([owner]);
    try {
      const workspace: string | undefined = ctx.params?.workspace_uuid;
      const made = await this.#making.acquire(workspace === undefined ? [] : [workspace]);
      return this.#begin(owner, costMs, made, release);
    } catch (error) {
      release();
      if (!(error instanceof ConnectionsBusy)) throw error;
      throw new Unavailable('Too many large requests are under way.', 1, 'too_many_large_requests');
    }
  }

  #begin(owner: string, costMs: number, releaseMade: () => void, releaseSent: () => void): Turn {
    const begunAt = performance.now() - costMs;
    let tookMs = 0;
    return {
      made: () => {
        tookMs = performance.now() - begunAt;
        releaseMade();
      },
      sent: () => {
        const restMs = this.#options.callers.hasOthersThan(owner)
          ? Math.min(tookMs, this.#options.mostRestMs)
          : 0;
        if (restMs > 0) setTimeout(releaseSent, restMs);
        else releaseSent();
      },
    };
  }

  #note(ctx: Context, route: Route): void {
    if (!isLong(ctx)) return;
    const name = nameOf(ctx, route);
    this.#remembered.delete(name);
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined && this.#remembered.size >= mostRemembered) this.#remembered.delete(oldest);
    this.#remembered.set(name, Date.now() + this.#options.rememberedMs);
  }
}

function ownerOf({ ip }: Place, granted: unknown): string {
  return callerOf(granted)?.owner ?? `address:${addressName(ip)}`;
}

function isLong({ body }: Context): boolean {
  return typeof body === 'string' && body.length > largeAnswerLength;
}

function bodyBytes({ req, request }: Context): number {
  if (req.headers['transfer-encoding'] !== undefined) return bodyLimitBytes;
  return request.length ?? 0;
}

function nameOf({ params }: Context, { operationId }: Route): string {
  return `${operationId} ${params.workspace_uuid ?? ''}`;
}

/** Calls back once, when an answer that is being sent is with its reader, or takes too long. */
function whenSent(res: ServerResponse, withinMs: number, end: () => void): void {
  const done = () => {
    clearTimeout(patience);
    res.off('finish', done).off('close', done);
    end();
  };
  const patience = setTimeout(done, withinMs);
  res.once('finish', done).once('close', done);
}
