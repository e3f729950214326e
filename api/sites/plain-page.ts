import type { Context } from 'koa';
import { html } from '../http/html.js';

/** Answers with a page in no site's look: there is no site, or something went wrong. */
export function answerPlainPage(ctx: Context, status: number, text: string): void {
  ctx.status = status;
  ctx.type = 'html';
  ctx.set('Cache-Control', 'no-store');
  ctx.body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${titleOf(status)}</title>
</head>
<body>
<main>
<h1>${titleOf(status)}</h1>
<p>${text}</p>
</main>
</body>
</html>
`.text;
}

function titleOf(status: number): string {
  if (status === 404) return 'Not found';
  return status === 429 ? 'Too many requests' : 'Something went wrong';
}
