import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { ConnectionsBusy, FairSemaphore } from '../../../db/database.js';
import { Unavailable } from '../../../domain/lib/errors.js';
import { addressName } from '../address-name.js';
import type { Route } from '../define-route.js';
import { bodyLimitBytes } from '../read-body.js';
import { callerOf } from './caller.js';

/** A request with a larger body is a large request. */
export const largeBodyBytes = 65_536;
/** A request to an operation that recently gave its workspace a longer answer, in characters, is large as well. */
export const largeAnswerLength = 262_144;

/** Body bytes that are received in one millisecond of the event loop. */
const bytesOfAMs = 32_768;

interface LargeRequestsOptions {
  /** Concurrent requests of the process. */
  atOnce: number;
  /** Concurrent requests of an account; a request counts until its answer is sent. */
  ofAccount: number;
  /** Concurrent requests of a workspace, so that one member does not block its colleagues. */
  ofWorkspace: number;
  /** Waiting requests of an account or a workspace; further ones are refused. */
  maxWaiting: number;
  timeoutMs: number;
  /** How long an operation counts as large after a large answer. */
  rememberedMs: number;
  /** How long the next request of an account waits for the reader of a large answer. */
  sendingMs: number;
  /**
   * The longest pause of an account after a turn while other callers are active; the pause is as long as the turn took.
   */
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

/** The caller's address, and the workspace in the path. */
interface Place {
  ip: string;
  params?: { workspace_uuid?: string };
}

/** The slots that one request holds: in the process, and in its account. */
interface Turn {
  /** The answer is complete: frees the process's slot. */
  made(): void;
  /** The answer is sent: frees the account's slot. */
  sent(): void;
}

/**
 * Makes large requests, and the pieces of imports and exports, take turns: one at a time per account. Parsing, checking
 * and writing a megabyte blocks the event loop for tens of milliseconds, which delays all other requests once for each
 * large one in progress. A slow client holds no slot of the process: its body is received beforehand, and an answer
 * that waits for its reader delays only requests of the same account. While other callers are active, an account pauses
 * after each turn for as long as the turn took, so that it gets at most half of the event loop.
 */
export class LargeRequests {
  readonly #options: LargeRequestsOptions;
  readonly #accounts: FairSemaphore;
  readonly #making: FairSemaphore;
  /** Until when an operation of a workspace counts as large. */
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

  /** Whether a request counts as large. */
  isLarge(ctx: Context, route: Route): boolean {
    const until = this.#remembered.get(nameOf(ctx, route));
    return bodyBytes(ctx) > largeBodyBytes || (until !== undefined && until > Date.now());
  }

  /**
   * Serves a request whose body is received; if it is large, in turn.
   *
   * @throws ShareExceeded when too many requests of the caller wait, Unavailable when requests of others take too long
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

  /** Waits for a turn of the caller. @returns a function that ends the turn @throws as `serve` */
  async turn(ctx: Place, granted: unknown): Promise<() => void> {
    const { made, sent } = await this.#take(ctx, granted, 0);
    return () => {
      made();
      sent();
    };
  }

  /** @param costMs time that the request has already taken */
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
      throw new Unavailable('Too many large requests are in progress.', 1, 'too_many_large_requests');
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

/** Calls back once: when the reader has the answer, or after `withinMs`. */
function whenSent(res: ServerResponse, withinMs: number, end: () => void): void {
  const done = () => {
    clearTimeout(patience);
    res.off('finish', done).off('close', done);
    end();
  };
  const patience = setTimeout(done, withinMs);
  res.once('finish', done).once('close', done);
}

interface Recent {
  owner: string;
  at: number;
}

/** Tracks whether other callers have recently sent requests. */
export class RecentCallers {
  readonly #withinMs: number;
  readonly #now: () => number;
  #latest: Recent | undefined;
  /** The latest request of another owner than `#latest`. */
  #other: Recent | undefined;

  constructor(withinMs = 1_000, now: () => number = () => performance.now()) {
    this.#withinMs = withinMs;
    this.#now = now;
  }

  note(owner: string): void {
    if (this.#latest !== undefined && this.#latest.owner !== owner) this.#other = this.#latest;
    this.#latest = { owner, at: this.#now() };
  }

  hasOthersThan(owner: string): boolean {
    const found = this.#latest?.owner === owner ? this.#other : this.#latest;
    return found !== undefined && this.#now() - found.at < this.#withinMs;
  }
}
