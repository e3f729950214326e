import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import { answerText } from '../http/openapi/static-text.js';

export const widgetPath = '/s/widget';

const require = createRequire(import.meta.url);
const own = ['texts', 'styles', 'elements', 'markdown', 'visit', 'stream', 'view', 'main'];
/** What it shares with the service, which the widget has under the same names. */
const paths = ['marked', '../../domain/lib/markdown/blocks.js', ...own.map((name) => `#widget/${name}.js`)];

/** Pages of any origin load the scripts: what they may do with them, the routes of the chat decide. */
const forPages = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

/**
 * Serves the chat of visitors: one script for pages, which loads the modules of this version from addresses that change with
 * their contents. Pages never run modules of two versions, and load all of them at once.
 */
export function serveWidget(): Middleware {
  const router = new Router();
  const modules = paths.map((path) => ({ name: nameOf(path), content: moduleAt(path) }));
  const digest = createHash('sha256').update(JSON.stringify(modules)).digest('hex').slice(0, 12);
  const loader = modules.map(({ name }) => `import './${digest}/${name}.js';\n`).join('');
  router.get(`${widgetPath}/chat.js`, answerText({ type: 'js', content: loader, headers: forPages }));
  const immutable = { ...forPages, 'Cache-Control': 'public, max-age=31536000, immutable' };
  for (const { name, content } of modules) {
    const answer = answerText({ type: 'js', content, headers: immutable });
    router.get(`${widgetPath}/${digest}/${name}.js`, answer);
  }
  return router.routes() as Middleware;
}

function nameOf(path: string): string {
  return basename(path, '.js');
}

/** A module without its comments, whose imports lie beside it. */
function moduleAt(path: string): string {
  const source = readFileSync(require.resolve(path), 'utf8');
  return source
    .replace(/^[ \t]*(?:\/\*\*(?! ?\n ?\* marked)[\s\S]*?\*\/|\/\/.*)\n?/gm, '')
    .replace(/ from '([^']+)'/g, (_, imported: string) => ` from './${nameOf(imported)}.js'`);
}
