import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { addressName } from '../address-name.js';
import { memoize } from '../memoize.js';
import { openApiDocument } from '../openapi.js';
import { reportQuotas } from '../rate-limits/quota.js';
import type { RateLimits } from '../rate-limits/rate-limits.js';
import type { Route } from '../route.js';
import { icon } from './icon.js';
import { referencePage } from './page/reference-page.js';
import { answerText } from './static-text.js';

/** The page loads everything from this service: no CDN, no inline script. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

type Answer = ReturnType<typeof answerText>;

const documentOf = memoize(openApiDocument);

/** How the texts below the prefix are answered; each is made when it is first asked for, in a third of a second. */
const answers: Readonly<Record<string, (routes: readonly Route[]) => Answer>> = {
  '/openapi.json': memoize((routes: readonly Route[]) =>
    answerText({ type: 'application/json', content: JSON.stringify(documentOf(routes)) }),
  ),
  '/docs': memoize((routes: readonly Route[]) =>
    answerText({
      type: 'html',
      content: referencePage(documentOf(routes)),
      headers: { 'Content-Security-Policy': pagePolicy },
    }),
  ),
  '/docs/page.js': memoize(() => answerText({ type: 'js', content: asset('page.js') })),
  '/docs/page.css': memoize(() => answerText({ type: 'css', content: asset('page.css') })),
  '/docs/icon.svg': () => answerIcon,
};

const answerIcon = answerText({ type: 'image/svg+xml', content: icon });

/** Files of the sources, which the browser loads as they are (`imports` of package.json). */
function asset(file: string): string {
  return readFileSync(createRequire(import.meta.url).resolve(`#page/${file}`), 'utf8');
}

/** Serves the OpenAPI document and its page from memory; `/` and the prefix itself lead to the page. */
export function serveDocumentation(prefix: string, routes: readonly Route[], limits: RateLimits): Middleware {
  const router = new Router();
  /** Requests count against the quota of the address. */
  const get = (path: string, answer: (ctx: Context) => void | Promise<void>) => {
    router.get(path, async (ctx) => {
      reportQuotas(ctx, await limits.takeAddress(addressName(ctx.ip)));
      await answer(ctx);
    });
  };
  get(prefix, (ctx) => ctx.redirect(`${prefix}/docs`));
  get('/favicon.ico', answerIcon);
  for (const [path, answerOf] of Object.entries(answers)) {
    get(`${prefix}${path}`, (ctx) => answerOf(routes)(ctx));
  }
  return router.routes() as Middleware;
}
