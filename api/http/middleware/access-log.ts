import type { Middleware } from 'koa';
import type { Logger } from '../../../runtime/logger.js';
import type { Route } from '../define-route.js';

/**
 * Logs one line per request: the route instead of the path, and of the parameters ids only, so that no personal data
 * and no text written by a person gets into the log.
 */
export function accessLog(logger: Logger): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const route: Route | undefined = ctx.state.route;
    logger[route?.tag === 'Health' ? 'debug' : 'info'](
      {
        requestId: ctx.state.requestId,
        method: ctx.method,
        route: route?.path ?? null,
        operation: route?.operationId ?? null,
        ids: idsOf(ctx.params ?? {}),
        ...(ctx.state.caller === undefined ? {} : { caller: ctx.state.caller }),
        status: ctx.status,
        ...(ctx.state.problemCode === undefined ? {} : { code: ctx.state.problemCode }),
        durationMs: Math.round(performance.now() - startedAt),
      },
      'request',
    );
  };
}

const idForms: Record<string, RegExp> = {
  id: /^\d{1,19}$/,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};

function idsOf(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).filter(([name, value]) => idForms[name.split('_').at(-1) ?? '']?.test(value)),
  );
}
