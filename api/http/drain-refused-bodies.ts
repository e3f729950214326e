import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';

/** What is received of a body that is refused: more of it, or for longer, costs more than the answer is worth. */
const most = { bytes: 33_554_432, ms: 2_000 };

/**
 * Receives what is left of a refused request before it is answered, within bounds, if the connection is closed after the
 * answer: a client that reads only when it has sent everything would find it broken instead of an answer. On a connection
 * that stays open, node receives the rest after the answer.
 */
export function drainRefusedBodies(bounds = most): Middleware {
  return async (ctx, next) => {
    const closes = !ctx.res.shouldKeepAlive;
    await next();
    if (closes && ctx.status >= 400 && !ctx.headerSent && !ctx.req.complete)
      await receiveRest(ctx.req, bounds);
  };
}

function receiveRest(request: IncomingMessage, { bytes, ms }: typeof most): Promise<void> {
  return new Promise((resolve) => {
    let left = bytes;
    const over = () => {
      clearTimeout(timer);
      request.off('data', take).off('end', over).off('close', over).pause();
      resolve();
    };
    const take = (piece: Buffer) => {
      left -= piece.length;
      if (left <= 0) over();
    };
    const timer = setTimeout(over, ms);
    request.on('data', take).on('end', over).on('close', over).on('error', over);
    if (request.destroyed) over();
    else request.resume();
  });
}
