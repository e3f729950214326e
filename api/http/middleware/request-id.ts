import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

const sane = /^[A-Za-z0-9._:-]{8,128}$/;

/**
 * Assigns an id to every request, or accepts the caller's if it is well-formed. The id is in the answer and in the log.
 */
export function requestId(): Middleware {
  return async (ctx, next) => {
    const given = ctx.get('X-Request-Id');
    ctx.state.requestId = sane.test(given) ? given : randomUUID();
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}
