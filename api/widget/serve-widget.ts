import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import { answerText } from '../http/openapi/static-text.js';

export const widgetPath = '/s/widget';

const require = createRequire(import.meta.url);
/** Our modules, in the order in which they need each other. The first one is shared with the service. */
const own = [
  '../../domain/lib/markdown/blocks.js',
  ...[
    'markdown',
    'texts',
    'styles',
    'elements',
    'visit',
    'outbox',
    'stream',
    'files',
    'log',
    'view',
    'attachments',
    'draft',
    'recent',
    'typed',
    'site-chat',
    'main',
  ].map((name) => `#widget/${name}.js`),
];
/** Words: a page loads those of its language. */
const languages = ['en', 'de', 'es'];

/** Pages of any origin load the scripts: what they may do with them, the routes of the chat decide. */
const forPages = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

/**
 * Serves the chat of visitors: one script for pages, which loads the modules of this version from addresses that change with
 * their contents. Pages never run modules of two versions.
 */
export function serveWidget(): Middleware {
  const router = new Router();
  const modules = {
    marked: reading(contentOf('marked')),
    main: joined(own.map(contentOf)),
    ...Object.fromEntries(languages.map((name) => [name, contentOf(`#widget/${name}.js`)])),
  };
  const digest = createHash('sha256').update(JSON.stringify(modules)).digest('hex').slice(0, 12);
  const loader = ['marked', 'main'].map((name) => `import './${digest}/${name}.js';\n`).join('');
  router.get(`${widgetPath}/chat.js`, answerText({ type: 'js', content: loader, headers: forPages }));
  const immutable = { ...forPages, 'Cache-Control': 'public, max-age=31536000, immutable' };
  for (const [name, content] of Object.entries(modules)) {
    const answer = answerText({ type: 'js', content, headers: immutable });
    router.get(`${widgetPath}/${digest}/${name}.js`, answer);
  }
  return router.routes() as Middleware;
}

/** A module without its comments and without what its lines begin with. */
function contentOf(path: string): string {
  const source = readFileSync(require.resolve(path), 'utf8');
  return source
    .replace(/^[ \t]*(?:\/\*\*(?! ?\n ?\* marked)[\s\S]*?\*\/|\/\/.*)\n?/gm, '')
    .replace(/^[ \t]+/gm, '');
}

/** Of `marked` what reads Markdown. What writes HTML stands behind it, a quarter of its size, and the chat makes elements. */
function reading(marked: string): string {
  const nameOf = (exported: string) => new RegExp(`[{,]([\\w$]+) as ${exported}\\b`).exec(marked)?.[1];
  const [lexer, tokenizer, renderer] = ['Lexer', 'Tokenizer', 'Renderer'].map(nameOf);
  const end = marked.indexOf(`var ${renderer}=class`);
  const begins = [lexer, tokenizer].map((name) => marked.indexOf(`var ${name}=class`));
  const isKnown = begins.every((begin) => begin !== -1 && begin < end);
  if (!isKnown) throw new Error('marked has another order than the one that is known');
  return `${marked.slice(0, end)}export{${lexer} as Lexer,${tokenizer} as Tokenizer};\n`;
}

/** Modules as one: what they say alike is compressed once. They share one scope, so no two declare the same name. */
function joined(modules: readonly string[]): string {
  const body = modules
    .join('')
    .replace(/^import [^;]*? from '\.[^']*';\n/gm, '')
    .replace(/^export /gm, '')
    .replace(/\/\*\*[^*]*\*\/ ?/g, '');
  return body.replace(/ from 'marked';/, " from './marked.js';");
}
