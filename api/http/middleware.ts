import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from '../../runtime/logger.js';
import type { Caller } from './pipeline/caller.js';
import { HttpProblem } from './problem.js';
import type { Route } from './route.js';

/** Logs one line per request: the route instead of the path, and of the parameters ids only, as no text of a person. */
export function accessLog(logger: Logger): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const route: Route | undefined = ctx.state.route;
    const caller: Caller | undefined = ctx.state.caller;
    logger[route?.tag === 'Health' ? 'debug' : 'info'](
      {
        requestId: ctx.state.requestId,
        method: ctx.method,
        route: route?.path ?? null,
        operation: route?.operationId ?? null,
        tool: ctx.state.tool,
        ids: idsOf(ctx.params ?? {}),
        caller: caller && idsOfCaller(caller),
        status: ctx.status,
        code: ctx.state.problemCode,
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

/** Shows who was calling, so that the acts of superusers and admins can be traced. */
function idsOfCaller({ accountId, memberId, credential }: Caller) {
  return { accountId, memberId, credential: credential.kind, credentialId: credential.id };
}

const sane = /^[A-Za-z0-9._:-]{8,128}$/;

/** Assigns an id to every request, or accepts the caller's if it is well-formed, for the answer and the log. */
export function requestId(): Middleware {
  return async (ctx, next) => {
    const given = ctx.get('X-Request-Id');
    ctx.state.requestId = sane.test(given) ? given : randomUUID();
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}

/** Sets headers that restrict what browsers do with an API's answers (OWASP REST cheat sheet). */
export function securityHeaders(options: { https: boolean }): Middleware {
  return async (ctx, next) => {
    ctx.set({
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    });
    if (options.https) ctx.set('Strict-Transport-Security', 'max-age=31536000');
    await next();
  };
}

/** Refuses HTTP/1.1 requests without `Host` (RFC 9112, section 3.2). */
export function requireHost(): Middleware {
  return (ctx, next) => {
    if (ctx.headers.host === undefined && ctx.req.httpVersion === '1.1') {
      throw new HttpProblem(400, 'malformed_request', 'The header Host is missing.');
    }
    return next();
  };
}

const noticeEveryMs = 600_000;

/** Logs at intervals that requests come through a proxy although none is trusted. */
export function noticeProxies(logger: Logger): Middleware {
  let noticedAt = Number.NEGATIVE_INFINITY;
  return async (ctx, next) => {
    if (ctx.headers['x-forwarded-for'] !== undefined && Date.now() - noticedAt >= noticeEveryMs) {
      noticedAt = Date.now();
      logger.error(
        { setting: 'TRUST_PROXY' },
        'X-Forwarded-For comes but TRUST_PROXY is 0: all callers behind that proxy are counted as one address',
      );
    }
    await next();
  };
}

const escapedBytes = /(?:%[0-9a-f]{2})+/gi;
const beyondAscii = /[^\p{ASCII}]/u;

/** Refuses a query that is not percent-encoded UTF-8: decoding would replace its invalid bytes. */
export function readableQuery(): Middleware {
  return (ctx, next) => {
    if (!isReadable(ctx.querystring)) {
      throw new HttpProblem(400, 'malformed_query', 'The query is not percent-encoded UTF-8.');
    }
    return next();
  };
}

function isReadable(query: string): boolean {
  if (beyondAscii.test(query)) return false;
  try {
    for (const [escaped] of query.matchAll(escapedBytes)) decodeURIComponent(escaped);
    return true;
  } catch {
    return false;
  }
}

/**
 * Lets the carrier call below a public path of an organization: `/api/v2/public/{name}` in front of the rest of an address.
 * Its signature covers the address as it was called.
 */
export function belowPublicPath(prefix: string): Middleware {
  const form = /^\/public\/([a-z0-9-]{1,63})(\/.*)$/;
  return (ctx, next) => {
    const found = ctx.path.startsWith(prefix) ? form.exec(ctx.path.slice(prefix.length)) : null;
    if (found !== null) {
      ctx.state.publicPath = found[1];
      ctx.path = prefix + found[2];
    }
    return next();
  };
}
