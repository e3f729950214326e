import type { ServerContext } from '@modelcontextprotocol/server';
import type { Counted } from './visit.js';

/**
 * Performs a call, and meanwhile tells a client that has asked for it how far the call is, so that it goes on waiting: what
 * the call has counted last or, as long as it counts nothing, the seconds that it takes already. Once it has counted, no
 * seconds are told, as progress must grow. A call that is answered sooner sends nothing.
 */
export async function tellingProgress<Result>(
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
  { message, everyMs, counts }: { message: string; everyMs: number; counts: boolean },
  answer: (tell: (counted: Counted) => void) => Promise<Result>,
): Promise<Result> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return answer(() => {});
  const began = performance.now();
  let counted: Counted | undefined;
  const seconds = () => ({ progress: Math.round(performance.now() - began) / 1_000 });
  const telling = setInterval(() => {
    const told = counts ? counted : seconds();
    counted = undefined;
    if (told === undefined) return;
    const params = { progressToken, message, ...told };
    // A client that has gone is told nothing more.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => clearInterval(telling));
  }, everyMs);
  try {
    return await answer((told) => {
      counted = told;
    });
  } finally {
    clearInterval(telling);
  }
}
