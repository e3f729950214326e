import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { addressName } from '../address-name.js';
import type { Route } from '../define-route.js';
import { memoize } from '../memoize.js';
import { openApiDocument } from '../openapi.js';
import { checkQuotas, type RateLimits, rateLimitHeaders } from '../rate-limits.js';
import { icon } from './icon.js';

const require = createRequire(import.meta.url);

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Workspace Engagement Service API</title>
<link rel="icon" href="docs/icon.svg">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/open.js"></script>
</body>
</html>
`;

const open = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });\n`;

/** The page loads everything from this service: no CDN, no inline script. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const documentOf = memoize((routes: readonly Route[]) => JSON.stringify(openApiDocument(routes)));

/** Serves the OpenAPI document and its page from memory; `/` and the prefix itself lead to the page. */
export function serveDocumentation(prefix: string, routes: readonly Route[], limits: RateLimits): Middleware {
  const router = new Router();
  /** Requests count against the quota of the address. */
  const get = (path: string, answer: (ctx: Context) => void) => {
    router.get(path, async (ctx) => {
      const standings = await limits.takeAddress(addressName(ctx.ip));
      ctx.set(rateLimitHeaders(standings));
      checkQuotas(standings);
      answer(ctx);
    });
  };
  const serve = (
    path: string,
    type: string,
    content: string | Buffer,
    headers: Record<string, string> = {},
  ) => {
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
    get(path, (ctx) => {
      ctx.set({ 'Cache-Control': 'public, max-age=300', ETag: etag, ...headers });
      ctx.status = 200;
      if (ctx.get('If-None-Match').includes(etag)) {
        ctx.status = 304;
      } else {
        ctx.type = type;
        ctx.body = content;
      }
    });
  };

  for (const path of ['/', prefix]) get(path, (ctx) => ctx.redirect(`${prefix}/docs`));
  for (const path of ['/favicon.ico', `${prefix}/docs/icon.svg`]) serve(path, 'image/svg+xml', icon);
  serve(`${prefix}/openapi.json`, 'application/json', documentOf(routes));
  serve(`${prefix}/docs`, 'html', page, { 'Content-Security-Policy': pagePolicy });
  serve(`${prefix}/docs/open.js`, 'js', open);
  serve(`${prefix}/docs/swagger-ui.css`, 'css', asset('swagger-ui.css'));
  serve(`${prefix}/docs/swagger-ui-bundle.js`, 'js', asset('swagger-ui-bundle.js'));
  return router.routes() as Middleware;
}

function asset(file: string): Buffer {
  return readFileSync(require.resolve(`swagger-ui-dist/${file}`));
}
