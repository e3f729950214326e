import type { Context, Middleware } from 'koa';
import type { Route } from './define-route.js';
import type { Server } from './pipeline/endpoint.js';
import { serveRoute } from './pipeline/serve-route.js';
import { HttpProblem } from './problems/http-problem.js';

/**
 * Serves all methods of one path (RFC 9110, 15.5.6, 9.3.2 and 9.3.7: HEAD wherever there is GET, OPTIONS everywhere). A
 * method that `/chats/stats` does not support is answered with 405, and never passed to `/chats/{chat_id}` with the id
 * `stats`.
 */
export function servePath(routes: readonly Route[], server: Server): Middleware {
  const methods = new Map<string, Middleware>(
    routes.map((route) => [route.method, serveRoute(route, server)]),
  );
  const get = methods.get('GET');
  if (get !== undefined) methods.set('HEAD', get);
  const allowed = [...methods.keys(), 'OPTIONS'].sort();
  methods.set('OPTIONS', tellMethods(allowed));
  return (ctx: Context, next) => {
    const serve = methods.get(ctx.method);
    if (serve === undefined) throw methodNotAllowed(allowed);
    return serve(ctx, next);
  };
}

/** Lists the path's methods. This needs no credentials: the OpenAPI document is public. */
function tellMethods(allowed: readonly string[]): Middleware {
  return (ctx) => {
    ctx.status = 204;
    ctx.set('Allow', allowed.join(', '));
  };
}

/** The error for a path that exists but does not support the method. */
export function methodNotAllowed(methods: readonly string[]): HttpProblem {
  const allowed = methods.join(', ');
  return new HttpProblem(405, 'method_not_allowed', `Only ${allowed} can be used here.`, {
    headers: { Allow: allowed },
  });
}
