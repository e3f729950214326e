import type { ServerContext } from '@modelcontextprotocol/server';

/**
 * Waits for a call, and meanwhile tells a client that has asked for it how many seconds the call takes already, so that
 * it goes on waiting. A call that is answered sooner sends nothing.
 */
export async function tellingProgress<Result>(
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
  message: string,
  everyMs: number,
  answer: () => Promise<Result>,
): Promise<Result> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return answer();
  const began = performance.now();
  const telling = setInterval(() => {
    const progress = Math.round(performance.now() - began) / 1_000;
    const params = { progressToken, progress, message };
    // A client that has gone is told nothing more.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => clearInterval(telling));
  }, everyMs);
  try {
    return await answer();
  } finally {
    clearInterval(telling);
  }
}
