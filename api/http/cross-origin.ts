import type { Context, Middleware } from 'koa';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { Forbidden } from '../../domain/lib/errors.js';

const preflightSeconds = 600;
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const requestHeaders = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id';
const exposedHeaders =
  'Content-Disposition, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';

/**
 * Answers preflight requests of browsers (Fetch standard) below `/w/` for requests that bring a token. The answer is
 * the same for every workspace and origin: which origins may call is decided with the request, once the caller is known.
 */
export function answerPreflights(prefix: string): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(`${prefix}/w/`)) return next();
    ctx.vary('Origin');
    if (!isPreflightWithToken(ctx)) return next();
    ctx.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': requestHeaders,
      'Access-Control-Max-Age': String(preflightSeconds),
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    ctx.status = 204;
  };
}

/** A request without a token stays unavailable to other origins, so their pages cannot use a visitor's cookie or address. */
function isPreflightWithToken(ctx: Context): boolean {
  if (ctx.method !== 'OPTIONS' || ctx.get('Origin') === '') return false;
  if (ctx.get('Access-Control-Request-Method') === '') return false;
  const asked = ctx.get('Access-Control-Request-Headers').toLowerCase().split(',');
  return asked.some((name) => name.trim() === 'authorization');
}

/** A request to a workspace with a token, from another origin than the service's. */
export interface CrossOriginRequest {
  origin: string;
  workspaceUuid: string;
}

/** Undefined for every other request. */
export function crossOriginRequest(
  ctx: Context,
  { workspaceUuid, ownOrigin }: { workspaceUuid: string | undefined; ownOrigin: string },
): CrossOriginRequest | undefined {
  const { origin, authorization } = ctx.headers;
  if (workspaceUuid === undefined || authorization === undefined) return undefined;
  return origin === undefined || origin === ownOrigin ? undefined : { origin, workspaceUuid };
}

/**
 * Lets every page read a refusal of its token: it is the same whether the workspace exists or not. `admitOrigin` follows
 * once the caller is known.
 */
export function beginCrossOrigin(ctx: Context): void {
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': exposedHeaders,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
}

/**
 * Lets a page of an origin that the workspace allows read the answer. To pages of other origins the request is refused;
 * a client that is no browser (it sends no `Sec-Fetch-Site`) is answered, without the headers of CORS.
 *
 * @throws Forbidden `origin_not_allowed`
 */
export async function admitOrigin(
  ctx: Context,
  { origin, workspaceUuid }: CrossOriginRequest,
  { db }: Pick<ServiceContext, 'db'>,
): Promise<void> {
  const allowed = await db.identity.workspaces.findAllowedOrigins(workspaceUuid);
  if (allowed.includes(origin)) {
    ctx.set('Access-Control-Allow-Origin', origin);
    return;
  }
  ctx.remove('Access-Control-Allow-Origin');
  ctx.remove('Access-Control-Expose-Headers');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  if (ctx.get('Sec-Fetch-Site') === '') return;
  throw new Forbidden('origin', 'The workspace does not allow this origin.', 'origin_not_allowed');
}
