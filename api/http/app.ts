import Router from '@koa/router';
import Koa from 'koa';
import type { ModelsContext } from '../../domain/kernel/context.js';
import type { Configuration } from '../../runtime/configuration.js';
import type { Logger } from '../../runtime/logger.js';
import type { Route } from './define-route.js';
import { accessLog } from './middleware/access-log.js';
import { notImplemented } from './middleware/not-implemented.js';
import { noticeProxies } from './middleware/notice-proxies.js';
import { readableQuery } from './middleware/readable-query.js';
import { requestId } from './middleware/request-id.js';
import { securityHeaders } from './middleware/security-headers.js';
import { serveDocumentation } from './openapi/documentation.js';
import { answerPreflights } from './pipeline/cross-origin.js';
import type { Server } from './pipeline/endpoint.js';
import { LargeRequests } from './pipeline/large-requests.js';
import { RecentCallers } from './pipeline/recent-callers.js';
import { answerProblems, logFailure } from './problems/answer-problems.js';
import { HttpProblem } from './problems/http-problem.js';
import { RateLimits } from './rate-limits/rate-limits.js';
import { ResourceRouters } from './resource-routers.js';
import { methodNotAllowed, servePath } from './serve-path.js';
import type { Services } from './services.js';
import { type EventStreamTiming, eventStreamTiming } from './streams/event-stream.js';
import { readerPatienceMs } from './streams/serve-stream.js';

export interface AppOptions {
  context: ModelsContext;
  services: Services;
  configuration: Pick<Configuration, 'checkResponses' | 'publicUrl' | 'rateLimits' | 'trustedProxies'>;
  logger: Logger;
  routes: readonly Route[];
  /** Overrides for the intervals and limits of event streams. */
  eventStreams?: Partial<EventStreamTiming>;
  /** Override for how long a streamed answer waits for a reader that takes nothing. */
  readerPatienceMs?: number;
}

export const apiPrefix = '/api/v2';

/** Creates the application: the declared routes and the documentation, nothing else. */
export function createApp(options: AppOptions): Koa {
  const { context, services, configuration, logger, routes } = options;
  const callers = new RecentCallers();
  const server: Server = {
    context,
    services,
    eventStreams: { ...eventStreamTiming, ...options.eventStreams },
    onMismatch: ({ message, errors }) =>
      logger.error({ error: message, errorCode: errors.map((error) => error.pointer).join(' ') }, 'failed'),
    readerPatienceMs: options.readerPatienceMs ?? readerPatienceMs,
    onFailure: (ctx, failure) => logFailure(ctx, failure, logger),
    rateLimits: new RateLimits(configuration.rateLimits),
    large: new LargeRequests({ callers }),
    files: new LargeRequests({ callers, atOnce: 20, ofAccount: 2, ofWorkspace: 4, mostRestMs: 0 }),
    // Waits longer than other requests, because the reader already has a part of the answer.
    pieces: new LargeRequests({ callers, maxWaiting: 200, timeoutMs: 60_000 }),
    // Many members of a workspace may read their tasks at the same time.
    evaluations: new LargeRequests({ callers, ofWorkspace: 4, maxWaiting: 200 }),
    publicUrl: configuration.publicUrl,
    ownOrigin: new URL(configuration.publicUrl).origin,
    checkResponses: configuration.checkResponses,
  };
  const resources = new ResourceRouters(apiPrefix);
  for (const path of [...new Set(routes.map((route) => route.path))].sort(fixedFirst)) {
    const here = routes.filter((route) => route.path === path);
    resources.routerOf(path).all(routerPath(path), servePath(here, server));
  }

  const documentation = new Router({ prefix: apiPrefix });
  serveDocumentation(documentation, routes, server.rateLimits);

  const app = new Koa({
    // Without a trusted proxy, X-Forwarded-For can be set by the caller.
    proxy: configuration.trustedProxies > 0,
    maxIpsCount: configuration.trustedProxies,
  });
  // An error after the answer has begun, such as a closed connection, is not a failure of the request.
  app.on('error', (error: NodeJS.ErrnoException) =>
    logger.debug({ errorCode: error.code ?? null }, 'connection error'),
  );
  app.use(requestId());
  app.use(securityHeaders({ https: configuration.publicUrl.startsWith('https:') }));
  app.use(accessLog(logger));
  app.use(answerProblems(logger));
  if (configuration.trustedProxies === 0) app.use(noticeProxies(logger));
  app.use(answerPreflights(apiPrefix));
  app.use(readableQuery());
  app.use(notImplemented(apiPrefix));
  app.use(resources.serve());
  app.use(documentation.routes());
  app.use(nothingThere);
  return app;
}

/** `/chats/stats` must come before `/chats/{chat_id}`, which would match it as well. */
function fixedFirst(one: string, other: string): number {
  const shape = (path: string) => path.replace(/\{\w+\}/g, '\uffff');
  if (shape(one) === shape(other)) return 0;
  return shape(one) < shape(other) ? -1 : 1;
}

/** `{name}` → `:name` */
function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** The path does not exist, or it is a documentation page and the method is not supported. */
async function nothingThere(ctx: Koa.Context): Promise<void> {
  const matched: { methods: string[] }[] = ctx.matched ?? [];
  const [page] = matched;
  if (page === undefined) throw new HttpProblem(404, 'not_found', 'There is nothing at this address.');
  throw methodNotAllowed([...page.methods].sort());
}
