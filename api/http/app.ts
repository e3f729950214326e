import Koa from 'koa';
import { DeniedAccess } from '../../domain/kernel/audit/denied-access.js';
import type { ModelsContext } from '../../domain/kernel/context.js';
import type { Configuration } from '../../runtime/configuration.js';
import type { Logger } from '../../runtime/logger.js';
import { drainRefusedBodies } from './drain-refused-bodies.js';
import {
  accessLog,
  belowPublicPath,
  noticeProxies,
  readableQuery,
  requestId,
  requireHost,
  securityHeaders,
} from './middleware.js';
import { serveDocumentation } from './openapi/documentation.js';
import { answerPreflights } from './pipeline/cross-origin.js';
import type { Server } from './pipeline/endpoint.js';
import { LargeRequests } from './pipeline/large-requests.js';
import { allTurns, RecentCallers } from './pipeline/turns.js';
import { answerProblems, HttpProblem, logFailure, type ProblemPages } from './problem.js';
import { RateLimits } from './rate-limits/rate-limits.js';
import { methodNotAllowed, serveRoutes } from './resource-routers.js';
import type { Route } from './route.js';
import type { Services } from './services.js';
import { type EventStreamTiming, eventStreamTiming } from './streams/event-stream.js';
import { readerPatienceMs } from './streams/serve-stream.js';

interface AppOptions {
  context: ModelsContext;
  services: Services;
  configuration: Pick<Configuration, 'checkResponses' | 'publicUrl' | 'rateLimits' | 'trustedProxies'>;
  logger: Logger;
  routes: readonly Route[];
  eventStreams?: Partial<EventStreamTiming>;
  readerPatienceMs?: number;
  /** Serves the pages of sites, before all else: at their domains, there is nothing else. */
  sites?: (server: Server) => Koa.Middleware;
  /** What people are shown of errors. */
  problemPages?: ProblemPages;
  /** What the application serves beside the routes: the authorization server, the pages and the tools. */
  parts?: (server: Server) => readonly Koa.Middleware[];
}

export const apiPrefix = '/api/v2';

/** Creates the application: the declared routes, the parts beside them and the documentation, nothing else. */
export function createApp(options: AppOptions): Koa {
  const { context, services, configuration, logger, routes } = options;
  const turns = allTurns(new RecentCallers());
  const server: Server = {
    context,
    services,
    eventStreams: { ...eventStreamTiming, ...options.eventStreams },
    onMismatch: ({ message, errors }) =>
      logger.error({ error: message, errorCode: errors.map((error) => error.pointer).join(' ') }, 'failed'),
    readerPatienceMs: options.readerPatienceMs ?? readerPatienceMs,
    onFailure: (ctx, failure) => logFailure(ctx, failure, logger),
    rateLimits: new RateLimits(configuration.rateLimits),
    turns,
    large: new LargeRequests(turns.large),
    denied: new DeniedAccess(),
    publicUrl: configuration.publicUrl,
    resource: configuration.publicUrl + apiPrefix,
    ownOrigin: new URL(configuration.publicUrl).origin,
    checkResponses: configuration.checkResponses,
  };

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
  app.use(drainRefusedBodies());
  app.use(answerProblems(logger, options.problemPages));
  app.use(requireHost());
  if (configuration.trustedProxies === 0) app.use(noticeProxies(logger));
  if (options.sites !== undefined) app.use(options.sites(server));
  app.use(answerPreflights(apiPrefix));
  app.use(readableQuery());
  app.use(belowPublicPath(apiPrefix));
  app.use(serveRoutes(apiPrefix, routes, server));
  for (const part of options.parts?.(server) ?? []) app.use(part);
  app.use(serveDocumentation(apiPrefix, routes, server.rateLimits));
  app.use(nothingThere);
  return app;
}

/** The path does not exist, or it is a documentation page and the method is not supported. */
async function nothingThere(ctx: Koa.Context): Promise<void> {
  const [page]: { methods: string[] }[] = ctx.matched ?? [];
  if (page === undefined) throw new HttpProblem(404, 'not_found', 'There is nothing at this address.');
  throw methodNotAllowed([...page.methods].sort());
}
