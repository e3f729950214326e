import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { bodyLimitBytes } from '../read-body.js';
import type { Route } from '../route.js';
import type { Place, Turns } from './turns.js';

/** A request with a larger body is a large request. */
export const largeBodyBytes = 65_536;
/** A request to an operation that recently gave its workspace a longer answer, in characters, is large as well. */
export const largeAnswerLength = 262_144;

/** Body bytes that are received in one millisecond of the event loop. */
const bytesOfAMs = 32_768;
/** How long an operation counts as large after a large answer. */
const rememberedMs = 60_000;
/** How long the next request of an account waits for the reader of a large answer. */
const sendingMs = 10_000;

/** A request that takes turns: its size, its answer, and how it is sent. */
export interface TurnTaker extends Place {
  req: Pick<IncomingMessage, 'headers'>;
  request: { readonly length?: number | undefined };
  body: unknown;
  res: ServerResponse;
}

/**
 * Has large requests take turns, because each blocks the event loop for tens of milliseconds (decision 85). A slow client
 * holds no slot of the process: its body is received beforehand, and an answer that waits for its reader delays only
 * requests of the same account.
 */
export class LargeRequests {
  readonly #turns: Turns;
  /** The operations of a workspace that count as large. */
  readonly #remembered = new LRUCache<string, true>({ max: 10_000, ttl: rememberedMs });

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** @param ctx with the workspace in `params` as soon as it is known */
  isLarge(ctx: Pick<TurnTaker, 'params' | 'req' | 'request'>, route: Route): boolean {
    return bodyBytes(ctx) > largeBodyBytes || this.#remembered.has(nameOf(ctx, route));
  }

  /** Serves a request whose body is received; if it is large, in turn. @throws as `Turns.take` */
  async serve(ctx: TurnTaker, route: Route, granted: unknown, serve: () => Promise<void>): Promise<void> {
    this.#turns.note(ctx, granted);
    if (!this.isLarge(ctx, route)) {
      await serve();
      this.#note(ctx, route);
      return;
    }
    const turn = await this.#turns.take(ctx, granted, bodyBytes(ctx) / bytesOfAMs);
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

  #note(ctx: TurnTaker, route: Route): void {
    if (!isLong(ctx)) return;
    this.#remembered.set(nameOf(ctx, route), true);
    // A request whose workspace is not known yet is large if it could be.
    this.#remembered.set(nameOf({}, route), true);
  }
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
