import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import type Router from '@koa/router';
import type { Route } from './define-route.js';
import { openApiDocument } from './openapi.js';

const require = createRequire(import.meta.url);

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Workspace Engagement Service API</title>
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

/** Everything comes from here: no CDN, no inline script. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The OpenAPI document at `openapi.json`, and a readable page over it at `docs`. */
export function serveDocumentation(router: Router, routes: readonly Route[]): void {
  const document = JSON.stringify(openApiDocument(routes));

  router.get('/openapi.json', (ctx) => {
    ctx.type = 'application/json';
    ctx.body = document;
  });
  router.get('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', pagePolicy);
    ctx.type = 'html';
    ctx.body = page;
  });
  router.get('/docs/open.js', (ctx) => {
    ctx.type = 'js';
    ctx.body = open;
  });
  for (const [file, type] of [
    ['swagger-ui.css', 'css'],
    ['swagger-ui-bundle.js', 'js'],
  ] as const) {
    const path = require.resolve(`swagger-ui-dist/${file}`);
    router.get(`/docs/${file}`, (ctx) => {
      ctx.set('Cache-Control', 'public, max-age=3600');
      ctx.type = type;
      ctx.body = createReadStream(path);
    });
  }
}
