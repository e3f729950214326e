import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { ConnectionShares, ConnectionsBusy } from '../../db/database.js';
import { Unavailable } from '../../domain/errors.js';
import { callerOf } from './caller.js';
import type { Route } from './define-route.js';
import { addressName } from './rate-limits/address-name.js';

/** A request with a larger body is a large one. */
export const largeBodyBytes = 65_536;
/** Likewise a request to an operation that gave its workspace a longer answer lately, in characters. */
export const largeAnswerLength = 262_144;

export interface LargeRequestsOptions {
  /** Of a process at once. */
  atOnce: number;
  /** Of an account, or of a workspace, at once. */
  ofHolder: number;
  /** Of an account, or of a workspace, that wait; beyond, they are refused. */
  mostWaiting: number;
  patienceMs: number;
  /** How long an operation is taken for large after a large answer. */
  rememberedMs: number;
  /** How long a reader may take over a large answer before the next one of its account begins. */
  sendingMs: number;
}

const usual: LargeRequestsOptions = {
  atOnce: 8,
  ofHolder: 1,
  mostWaiting: 20,
  patienceMs: 5_000,
  rememberedMs: 60_000,
  sendingMs: 10_000,
};

const mostRemembered = 10_000;

/**
 * Large requests, and the pieces of imports and exports, take turns: of an account or a workspace there is one at a time.
 * Reading, checking and writing a megabyte holds the event loop for tens of milliseconds, which all others wait for once
 * for each that is under way.
 */
export class LargeRequests {
  readonly #options: LargeRequestsOptions;
  readonly #shares: ConnectionShares;
  /** Until when an operation of a workspace is taken for large. */
  readonly #remembered = new Map<string, number>();

  constructor(options: Partial<LargeRequestsOptions> = {}) {
    this.#options = { ...usual, ...options };
    const { atOnce, ofHolder, mostWaiting, patienceMs } = this.#options;
    this.#shares = new ConnectionShares({ size: atOnce, most: ofHolder, mostWaiting, patienceMs });
  }

  /** Whether a request is to be taken for a large one. */
  isLarge(ctx: Context, route: Route): boolean {
    const until = this.#remembered.get(nameOf(ctx, route));
    return bodyBytes(ctx) > largeBodyBytes || (until !== undefined && until > Date.now());
  }

  /**
   * Serves a request, in turn if it is large; the turn ends once its answer is sent.
   *
   * @throws ShareExceeded where too many of the caller's wait, Unavailable where those of others take too long
   */
  async serve(ctx: Context, route: Route, granted: unknown, serve: () => Promise<void>): Promise<void> {
    if (!this.isLarge(ctx, route)) {
      await serve();
      this.#note(ctx, route);
      return;
    }
    const end = await this.turn(ctx, granted);
    try {
      await serve();
    } catch (error) {
      end();
      throw error;
    }
    this.#note(ctx, route);
    if (isLong(ctx)) whenSent(ctx.res, this.#options.sendingMs, end);
    else end();
  }

  /** Waits for a turn of the caller's. @returns ends it @throws as `serve` */
  async turn(ctx: Context, granted: unknown): Promise<() => void> {
    try {
      return await this.#shares.take(holdersOf(ctx, granted));
    } catch (error) {
      if (!(error instanceof ConnectionsBusy)) throw error;
      throw new Unavailable('Too many large requests are under way.', 1, 'too_many_large_requests');
    }
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

function isLong({ body }: Context): boolean {
  return typeof body === 'string' && body.length > largeAnswerLength;
}

function bodyBytes({ req, request }: Context): number {
  if (req.headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return request.length ?? 0;
}

function nameOf({ params }: Context, { operationId }: Route): string {
  return `${operationId} ${params.workspace_uuid ?? ''}`;
}

function holdersOf({ params, ip }: Context, granted: unknown): string[] {
  const owner = callerOf(granted)?.owner ?? `address:${addressName(ip)}`;
  return [owner, ...(params.workspace_uuid === undefined ? [] : [`workspace:${params.workspace_uuid}`])];
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
