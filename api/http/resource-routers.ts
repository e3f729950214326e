import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { memoize } from './memoize.js';
import { compileEndpoint, type Server } from './pipeline/endpoint.js';
import { receiverOf } from './pipeline/receive.js';
import { responderOf } from './pipeline/respond.js';
import { type HttpEndpoint, serveRoute } from './pipeline/serve-route.js';
import { HttpProblem } from './problem.js';
import type { Route } from './route.js';

/**
 * Serves the routes with a router for each resource and depth of its paths, as a router tries its paths one by one. A route
 * is compiled for its first request: compiling all takes seconds, and most processes serve few of them.
 */
export function serveRoutes(prefix: string, routes: readonly Route[], server: Server): Middleware {
  const serving = memoize((route: Route) => serveRoute(httpEndpoint(route, server)));
  const routers = new Map<string, Router>();
  for (const path of [...new Set(routes.map((route) => route.path))].sort(fixedFirst)) {
    const here = routes.filter((route) => route.path === path);
    const router = routers.get(placeOf(path)) ?? new Router({ prefix });
    routers.set(placeOf(path), router);
    router.all(path.replace(/\{(\w+)\}/g, ':$1'), servePath(here, serving));
  }
  const places = new Map([...routers].map(([place, router]) => [place, router.routes()]));
  return (ctx, next) => {
    const serve = places.get(placeOf(ctx.path.slice(prefix.length)));
    return serve === undefined ? next() : (serve as Middleware)(ctx, next);
  };
}

/** `/chats/stats` must come before `/chats/{chat_id}`, which would match it as well. */
function fixedFirst(one: string, other: string): number {
  const shape = (path: string) => path.replace(/\{\w+\}/g, '\uffff');
  if (shape(one) === shape(other)) return 0;
  return shape(one) < shape(other) ? -1 : 1;
}

/** The resource of a path, and its depth. Paths match case-insensitively, and with a slash at their end. */
function placeOf(path: string): string {
  const names = path.toLowerCase().split('/').filter(Boolean);
  const [first = '', , third = ''] = names;
  return `${first === 'w' ? `w/${third}` : first} ${names.length}`;
}

/**
 * Serves all methods of one path: HEAD wherever there is GET, OPTIONS everywhere (RFC 9110, 9.3.2 and 9.3.7). Others
 * get 405, and are never passed to a path with parameters that matches as well.
 */
function servePath(routes: readonly Route[], serving: (route: Route) => Middleware): Middleware {
  const methods = new Map<string, Middleware>(
    routes.map((route) => [route.method, (ctx, next) => serving(route)(ctx, next)]),
  );
  const get = methods.get('GET');
  if (get !== undefined) methods.set('HEAD', get);
  const allowed = [...methods.keys(), 'OPTIONS'].sort();
  // Needs no credentials: the OpenAPI document is public.
  methods.set('OPTIONS', (ctx) => {
    ctx.status = 204;
    ctx.set('Allow', allowed.join(', '));
  });
  return (ctx: Context, next) => {
    const serve = methods.get(ctx.method);
    if (serve === undefined) throw methodNotAllowed(allowed);
    return serve(ctx, next);
  };
}

function httpEndpoint(route: Route, server: Server): HttpEndpoint {
  const endpoint = compileEndpoint(route, server);
  return { ...endpoint, receive: receiverOf(route, server), respond: responderOf(route) };
}

/** The error for a path that exists but does not support the method. */
export function methodNotAllowed(methods: readonly string[]): HttpProblem {
  const allowed = methods.join(', ');
  return new HttpProblem(405, 'method_not_allowed', `Only ${allowed} can be used here.`, {
    headers: { Allow: allowed },
  });
}
