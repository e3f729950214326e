import type { EnteredTx } from '../../db/database.js';
import type { Route } from './define-route.js';
import type { RequestValidation } from './validation.js';

/** What a route asks of the database along with who is calling. */
export interface Prefetch {
  params: unknown;
  query: unknown;
  /** To be sent with the look-up of the caller. */
  prefetch: (tx: EnteredTx) => Promise<unknown>;
  /** What was found; undefined where nothing was asked, or it failed. To be answered to nobody who may not see it. */
  prefetched: () => Promise<unknown>;
}

/**
 * Undefined where the route asks nothing early, or path or query are not as declared: what is wrong with them is told
 * only after it is known who calls.
 */
export function preparePrefetch(
  { asks }: Pick<Route, 'asks'>,
  request: RequestValidation,
  sent: { params: Record<string, string>; query: Record<string, unknown> },
): Prefetch | undefined {
  if (asks === undefined) return undefined;
  const input = valid(() => ({ params: request.params(sent.params), query: request.query(sent.query) }));
  if (input === undefined) return undefined;
  let asking: Promise<unknown> | undefined;
  return {
    ...input,
    prefetch: (tx) => {
      asking = asks(tx, input);
      return asking;
    },
    // The request goes on as if nothing had been asked: its own reading tells what is wrong, if it still is.
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
