import type { Context } from 'koa';
import type { EnteredTx } from '../../../db/database.js';
import type { Endpoint } from './endpoint.js';

/** The route's queries that are sent with authentication. */
export interface Prefetch {
  params: unknown;
  query: unknown;
  /** Sends the queries, with the look-up of the caller. */
  prefetch: (tx: EnteredTx) => Promise<unknown>;
  /** The result; undefined if nothing was sent, or it failed. Must not reach a caller before access is granted. */
  prefetched: () => Promise<unknown>;
}

/**
 * Returns undefined if the route has no prefetch, if the request is large and so waits for its turn first, or if path
 * or query are invalid: validation errors are reported only after authentication.
 */
export function preparePrefetch({ route, server, validation }: Endpoint, ctx: Context): Prefetch | undefined {
  const { prefetch } = route;
  if (prefetch === undefined || server.large.isLarge(ctx, route)) return undefined;
  const input = valid(() => ({ params: validation.params(ctx.params), query: validation.query(ctx.query) }));
  if (input === undefined) return undefined;
  let asking: Promise<unknown> | undefined;
  return {
    ...input,
    prefetch: (tx) => {
      asking = prefetch(tx, input);
      return asking;
    },
    // On failure the request continues without the prefetch: the handler's own read reports the error if it persists.
    prefetched: async () => asking?.catch(() => undefined),
  };
}

function valid<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
