import type { Middleware } from 'koa';
import type { OAuthServer } from './oauth-server.js';

/** Serves the endpoints below the issuer, and the metadata at the addresses of RFC 8414. */
export function serveOAuth(issuer: string, server: () => Promise<OAuthServer>): Middleware {
  const { pathname } = new URL(issuer);
  const wellKnown = '/.well-known/oauth-authorization-server';
  const metadata = new Set([
    wellKnown,
    `${wellKnown}${pathname}`,
    `/.well-known/openid-configuration${pathname}`,
  ]);
  const pathOf = (path: string) => {
    if (metadata.has(path)) return `${pathname}/.well-known/openid-configuration`;
    return path.startsWith(`${pathname}/`) ? path : undefined;
  };
  return async (ctx, next) => {
    const path = pathOf(ctx.path);
    return path === undefined ? next() : (await server()).serve(ctx, path, next);
  };
}
