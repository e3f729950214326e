import type { Context, Middleware } from 'koa';
import type { ServiceContext } from '../../../domain/kernel/context.js';
import { Forbidden } from '../../../domain/lib/errors.js';
import { parseUrl } from '../../../domain/lib/parse-url.js';
import type { Route } from '../route.js';

const exposedHeaders =
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';

/**
 * Answers the preflight requests of browsers (Fetch standard) below `/w/` for requests that carry a token. The answer
 * is the same for every workspace and origin: the request itself checks the origin, once the caller is known.
 */
export function answerPreflights(prefix: string): Middleware {
  return async (ctx, next) => {
    const isForPages = ctx.path.startsWith(`${prefix}/s/`) && forPages.test(ctx.path.slice(prefix.length));
    if (!isForPages && !ctx.path.startsWith(`${prefix}/w/`)) return next();
    ctx.vary('Origin');
    if (!isPreflight(ctx) || !(isForPages || asksForToken(ctx))) return next();
    ctx.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Range, X-Request-Id',
      'Access-Control-Max-Age': '600',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    ctx.status = 204;
  };
}

/** The chat of visitors, whose routes look at no cookie. */
const forPages = /^\/s\/[^/]+\/[^/]+\/(?:visitors|chat)(?:\/|$)/;

function isPreflight(ctx: Context): boolean {
  if (ctx.method !== 'OPTIONS' || ctx.get('Origin') === '') return false;
  return ctx.get('Access-Control-Request-Method') !== '';
}

/** Others stay unavailable to other origins, so that their pages cannot use a visitor's cookie or IP address. */
function asksForToken(ctx: Context): boolean {
  const asked = ctx.get('Access-Control-Request-Headers').toLowerCase().split(',');
  return asked.some((name) => name.trim() === 'authorization');
}

/**
 * Begins the answer to a request to a workspace from another origin, with a token or to a route that is for pages: pages
 * of any origin may read the refusal of a token, which is the same whether the workspace exists or not.
 *
 * @returns what decides about other answers, once the caller is known: a page may read them if the workspace allows its
 *   origin, or if it is at the domain of the site that the route is about, and gets Forbidden `origin_not_allowed` otherwise. A client that is not a browser (it sends no
 *   `Sec-Fetch-Site`) is answered, without CORS headers. Undefined for every other request
 */
export function beginCrossOrigin(
  ctx: Context,
  { access }: Pick<Route, 'access'>,
  ownOrigin: string,
  { db }: Pick<ServiceContext, 'db'>,
): ((granted: unknown) => Promise<void>) | undefined {
  const { origin, authorization } = ctx.headers;
  const workspaceUuid: string | undefined = ctx.params.workspace_uuid;
  if (workspaceUuid === undefined) return undefined;
  if (authorization === undefined && access.forPages !== true) return undefined;
  if (origin === undefined || origin === ownOrigin) return undefined;
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': exposedHeaders,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  return async (granted) => {
    const allowed = await db.identity.workspaces.findAllowedOrigins(workspaceUuid);
    const isOfSite = access.forPages === true && (await isAtDomainOf(db, origin, ownOrigin, granted));
    if (isOfSite || allowed.includes(origin)) {
      ctx.set('Access-Control-Allow-Origin', origin);
      return;
    }
    ctx.remove('Access-Control-Allow-Origin');
    ctx.remove('Access-Control-Expose-Headers');
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    if (ctx.get('Sec-Fetch-Site') === '') return;
    throw new Forbidden('origin', 'The workspace does not allow this origin.', 'origin_not_allowed');
  };
}

/** Whether a page is at the domain that maps to the site. Without HTTPS only where the service itself has none. */
async function isAtDomainOf(
  db: ServiceContext['db'],
  origin: string,
  ownOrigin: string,
  granted: unknown,
): Promise<boolean> {
  const { workspaceId, site } = granted as { workspaceId?: number; site?: { id: number } };
  const url = parseUrl(origin);
  if (url === undefined || site === undefined) return false;
  const isPlain = url.protocol === 'http:' && ownOrigin.startsWith('http:');
  if (!isPlain && (url.protocol !== 'https:' || url.port !== '')) return false;
  const mapped = await db.identity.siteDomains.findMapped(url.hostname);
  return mapped?.workspaceId === workspaceId && mapped?.siteId === site.id;
}
