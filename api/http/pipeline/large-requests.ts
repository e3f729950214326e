import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConnectionsBusy, FairSemaphore } from '../../../db/database.js';
import { Unavailable } from '../../../domain/lib/errors.js';
import { addressName } from '../address-name.js';
import { bodyLimitBytes } from '../read-body.js';
import type { Route } from '../route.js';
import { callerOf } from './caller.js';

/** A request with a larger body is a large request. */
export const largeBodyBytes = 65_536;
/** A request to an operation that recently gave its workspace a longer answer, in characters, is large as well. */
export const largeAnswerLength = 262_144;

/** Body bytes that are received in one millisecond of the event loop. */
const bytesOfAMs = 32_768;
/** How long an operation counts as large after a large answer. */
const rememberedMs = 60_000;
const mostRemembered = 10_000;
/** How long the next request of an account waits for the reader of a large answer. */
const sendingMs = 10_000;

const usual = {
  /** Concurrent requests of the process. */
  atOnce: 8,
  /** Concurrent requests of an account; a request counts until its answer is sent. */
  ofAccount: 1,
  /** Concurrent requests of a workspace, so that one member does not block its colleagues. */
  ofWorkspace: 2,
  /** Waiting requests of an account or a workspace; further ones are refused. */
  maxWaiting: 20,
  timeoutMs: 5_000,
  /** The longest pause of an account after a turn; otherwise the pause is as long as the turn took. */
  mostRestMs: 500,
};

/** The caller's address, and the workspace in the path. */
interface Place {
  ip: string;
  params?: { workspace_uuid?: string };
}

/** A request that takes turns: its size, its answer, and how it is sent. */
export interface TurnTaker extends Place {
  req: Pick<IncomingMessage, 'headers'>;
  request: { readonly length?: number | undefined };
  body: unknown;
  res: ServerResponse;
}

/** The slots that one request holds: in the process, and in its account. */
interface Turn {
  /** The answer is complete: frees the process's slot. */
  made(): void;
  /** The answer is sent: frees the account's slot. */
  sent(): void;
}

/**
 * Makes large requests, and the pieces of imports and exports, take turns: one at a time per account, because each
 * blocks the event loop for tens of milliseconds (decision 85). A slow client holds no slot of the process: its body is
 * received beforehand, and an answer that waits for its reader delays only requests of the same account. While other
 * callers are active, an account pauses after each turn, so that it gets at most half of the event loop.
 */
export class LargeRequests {
  readonly #callers: RecentCallers;
  readonly #mostRestMs: number;
  readonly #accounts: FairSemaphore;
  readonly #making: FairSemaphore;
  /** Until when an operation of a workspace counts as large. */
  readonly #remembered = new Map<string, number>();

  constructor(callers: RecentCallers, options: Partial<typeof usual> = {}) {
    const { atOnce, ofAccount, ofWorkspace, mostRestMs, ...waiting } = { ...usual, ...options };
    this.#callers = callers;
    this.#mostRestMs = mostRestMs;
    this.#accounts = new FairSemaphore({ size: Infinity, maxPerHolder: ofAccount, ...waiting });
    this.#making = new FairSemaphore({ size: atOnce, maxPerHolder: ofWorkspace, ...waiting });
  }

  /** @param ctx with the workspace in `params` as soon as it is known */
  isLarge(ctx: Pick<TurnTaker, 'params' | 'req' | 'request'>, route: Route): boolean {
    const until = this.#remembered.get(nameOf(ctx, route));
    return bodyBytes(ctx) > largeBodyBytes || (until !== undefined && until > Date.now());
  }

  /**
   * Serves a request whose body is received; if it is large, in turn.
   * @throws ShareExceeded when too many requests of the caller wait, Unavailable when requests of others take too long
   */
  async serve(ctx: TurnTaker, route: Route, granted: unknown, serve: () => Promise<void>): Promise<void> {
    this.#callers.note(ownerOf(ctx, granted));
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
    if (isLong(ctx)) whenSent(ctx.res, turn.sent);
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
    const releaseSent = await this.#accounts.acquire([owner]);
    const workspace = ctx.params?.workspace_uuid;
    const releaseMade = await this.#making
      .acquire(workspace === undefined ? [] : [workspace])
      .catch((error: unknown) => {
        releaseSent();
        if (!(error instanceof ConnectionsBusy)) throw error;
        throw new Unavailable('Too many large requests are in progress.', 1, 'too_many_large_requests');
      });
    const begunAt = performance.now() - costMs;
    let tookMs = 0;
    return {
      made: () => {
        tookMs = performance.now() - begunAt;
        releaseMade();
      },
      sent: () => {
        const restMs = this.#callers.hasOthersThan(owner) ? Math.min(tookMs, this.#mostRestMs) : 0;
        if (restMs > 0) setTimeout(releaseSent, restMs);
        else releaseSent();
      },
    };
  }

  #note(ctx: TurnTaker, route: Route): void {
    if (!isLong(ctx)) return;
    this.#remember(nameOf(ctx, route));
    // A request whose workspace is not known yet is large if it could be.
    this.#remember(nameOf({}, route));
  }

  #remember(name: string): void {
    this.#remembered.delete(name);
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined && this.#remembered.size >= mostRemembered) this.#remembered.delete(oldest);
    this.#remembered.set(name, Date.now() + rememberedMs);
  }
}

function ownerOf({ ip }: Place, granted: unknown): string {
  return callerOf(granted)?.owner ?? `address:${addressName(ip)}`;
}

function isLong({ body }: TurnTaker): boolean {
  return typeof body === 'string' && body.length > largeAnswerLength;
}

function bodyBytes({ req, request }: Pick<TurnTaker, 'req' | 'request'>): number {
  if (req.headers['transfer-encoding'] !== undefined) return bodyLimitBytes;
  return request.length ?? 0;
}

function nameOf({ params }: Pick<TurnTaker, 'params'>, { operationId }: Route): string {
  return `${operationId} ${params?.workspace_uuid ?? ''}`;
}

/** Calls back once: when the reader has the answer, or after `sendingMs`. */
function whenSent(res: ServerResponse, end: () => void): void {
  const done = () => {
    clearTimeout(patience);
    res.off('finish', done).off('close', done);
    end();
  };
  const patience = setTimeout(done, sendingMs);
  res.once('finish', done).once('close', done);
}

interface Recent {
  owner: string;
  at: number;
}

const recentMs = 1_000;

/** Tracks whether other callers have sent requests within the last second. */
export class RecentCallers {
  #latest: Recent | undefined;
  /** The latest request of another owner than `#latest`. */
  #other: Recent | undefined;

  note(owner: string): void {
    if (this.#latest !== undefined && this.#latest.owner !== owner) this.#other = this.#latest;
    this.#latest = { owner, at: performance.now() };
  }

  hasOthersThan(owner: string): boolean {
    const found = this.#latest?.owner === owner ? this.#other : this.#latest;
    return found !== undefined && performance.now() - found.at < recentMs;
  }
}
