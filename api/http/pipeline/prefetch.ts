import type { EnteredTx } from '../../../db/tx.js';
import type { Endpoint } from './endpoint.js';
import type { TurnTaker } from './large-requests.js';

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
 * @param asked path and query of the request, as they came
 * @param turns the request as one that takes turns, with its workspace in `params` if that is known
 * @returns undefined if the route has no prefetch, if the request is large and so waits for its turn first, or if path
 * or query are invalid: validation errors are reported only after authentication.
 */
export function preparePrefetch(
  { route, server, validation }: Endpoint,
  asked: { params: Record<string, string>; query: Record<string, unknown> },
  turns: Pick<TurnTaker, 'params' | 'req' | 'request'>,
): Prefetch | undefined {
  const { prefetch } = route;
  if (prefetch === undefined || server.large.isLarge(turns, route)) return undefined;
  let input: { params: unknown; query: unknown };
  try {
    input = { params: validation.params(asked.params), query: validation.query(asked.query) };
  } catch {
    return undefined;
  }
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
