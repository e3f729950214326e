import type { Middleware } from 'koa';
import { canonicalDomain } from '../../../domain/sites/domains/domain-name.js';
import type { SiteName } from '../../../domain/sites/public/show-site.js';
import { isUuid } from '../../auth/authenticate-member.js';
import type { Server } from '../../http/pipeline/endpoint.js';
import { answerOf, send } from './answer.js';
import { robotsOfService } from './lists.js';
import { hostReader } from './site-host.js';
import { noSuchHost, requireRead, SiteServing } from './site-serving.js';

/** What names below `/s/` mean that are no sites. */
const reserved: ReadonlySet<string> = new Set(['api', 'assets', 'feed', 'widget']);
const robots = answerOf(robotsOfService, { 'Content-Type': 'text/plain; charset=utf-8' });

/**
 * Serves the pages of sites: below `/s/` at the address of the service, and at the domains of sites, where nothing else is served.
 * @param secret makes nonces
 */
export function serveSites(server: Server, secret: string): Middleware {
  const sites = new SiteServing(server, secret);
  const hostOf = hostReader(server.publicUrl);
  return async (ctx, next) => {
    const host = hostOf(ctx.headers.host);
    if (host === 'unknown') throw noSuchHost();
    if (host !== 'service') return sites.serve(ctx, { name: host, path: ctx.path, atDomain: true });
    if (ctx.path === '/robots.txt') {
      requireRead(ctx);
      return send(ctx, robots, false);
    }
    const [, named = '', path = ''] = /^\/s\/([^/]+)(\/.*)?$/s.exec(ctx.path) ?? [];
    if (named === '' || reserved.has(named)) return next();
    return sites.serve(ctx, { name: nameOf(named), path, atDomain: false });
  };
}

/** Undefined: no site has this name. */
function nameOf(text: string): SiteName | undefined {
  if (isUuid(text)) return { uuid: text.toLowerCase() };
  const domain = canonicalDomain(text);
  return domain === undefined ? undefined : { domain };
}
