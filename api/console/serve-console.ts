import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { sessionTokenIn } from '../auth/session-cookie.js';
import { answerText } from '../http/openapi/static-text.js';

export const consolePath = '/console';

/** What `npm run build` makes of `console/`, beside the compiled service. */
const builtFolder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/console' : '../../console', import.meta.url),
);

/** The page runs our scripts and asks this origin only; nothing is written into it, and nobody frames it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self'",
  "connect-src 'self'",
  // Previews of sites alone may be framed (api/html/sites/policy.ts), and run no script.
  "frame-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * Serves the console: its page at every path below /console, for who is signed in or invited, and its files, whose names
 * change with their contents. A source tree that was not built has none.
 */
export function serveConsole(folder = builtFolder): Middleware {
  const router = new Router();
  for (const file of filesIn(`${folder}/assets`)) {
    let answer: ReturnType<typeof answerText> | undefined;
    router.get(`${consolePath}/assets/${file}`, (ctx) => {
      answer ??= answerText({
        type: extname(file),
        content: readFileSync(`${folder}/assets/${file}`, 'utf8'),
        headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
      });
      return answer(ctx);
    });
  }
  // Who is signed in works here; others can sign in.
  router.get('/', (ctx) => goOn(ctx, isSignedIn(ctx) ? consolePath : '/sign-in'));
  let page: ReturnType<typeof answerText> | undefined;
  router.get([consolePath, `${consolePath}/{*path}`], async (ctx, next) => {
    // A file of an earlier release is gone: the page in its place would be run as a script.
    if (ctx.path.startsWith(`${consolePath}/assets/`)) return next();
    if (!isSignedIn(ctx) && !isForVisitors(ctx.path))
      return goOn(ctx, `/sign-in?return=${encodeURIComponent(ctx.originalUrl)}`);
    page ??= answerText({
      type: 'html',
      content: readFileSync(`${folder}/index.html`, 'utf8'),
      headers: { 'Cache-Control': 'no-store' },
    });
    ctx.set({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin' });
    return page(ctx);
  });
  return router.routes() as Middleware;
}

const isSignedIn = ({ headers }: Context): boolean => sessionTokenIn(headers) !== undefined;

/** Where an invitation leads, to sign in by the provider of the organization, too. */
const isForVisitors = (path: string): boolean => /^\/console\/organizations\/[^/]+\/join$/.test(path);

function goOn(ctx: Context, path: string): void {
  ctx.status = 303;
  ctx.redirect(path);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
