import type { Context, Middleware } from 'koa';
import type { Route } from '../define-route.js';
import { removingSpool } from '../uploads/spool.js';
import { authentication } from './authenticate.js';
import { callerIds } from './caller.js';
import { compileEndpoint, type Server } from './endpoint.js';
import { readIdempotency } from './idempotency.js';
import { limit } from './limit.js';
import { withOwnDatabase } from './own-database.js';
import { preparePrefetch } from './prefetch.js';
import { requestBody } from './request-body.js';
import { respond } from './respond.js';
import { takeTurn } from './take-turn.js';
import { validate } from './validate.js';

/** Builds the middleware for a route: the steps of each request, in their order. */
export function serveRoute(route: Route, server: Server): Middleware {
  const endpoint = compileEndpoint(route, server);

  const serve = async (ctx: Context) => {
    ctx.state.route = route;
    const receive = requestBody(endpoint, ctx);
    const prefetch = preparePrefetch(endpoint, ctx);
    const authenticate = authentication(endpoint, ctx, { receive, prefetch });
    const context = withOwnDatabase(route, await limit(endpoint, ctx, authenticate));
    ctx.state.caller = callerIds(context);
    const params = prefetch?.params ?? endpoint.validation.params(ctx.params);
    const parse = await receive();
    await takeTurn(endpoint, ctx, context, async () => {
      const sent = parse();
      const idempotency = readIdempotency(route, ctx.headers, { query: ctx.query, body: sent });
      const input = await validate(endpoint, ctx, { context, params, sent, prefetch });
      await respond(endpoint, { ctx, input, idempotency, authenticate });
    });
  };
  return route.file === undefined ? serve : removingSpool(serve);
}
