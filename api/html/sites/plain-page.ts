import type { Context } from 'koa';
import { type Html, html } from '../../http/html.js';

/** Answers with a page in no site's look: there is no site, or something went wrong. */
export function answerPlainPage(ctx: Context, status: number, text: string): void {
  answer(ctx, status, titleOf(status), html`${text}`);
}

/** Names where a site leads, and leaves it to the visitor to go there. */
export function answerWayOut(ctx: Context, to: URL): void {
  const link = html`<a href="${to.href}" rel="noreferrer nofollow">Go on to ${to.host}</a>`;
  answer(ctx, 200, 'This site is elsewhere', link);
}

function answer(ctx: Context, status: number, title: string, content: Html): void {
  ctx.status = status;
  ctx.type = 'html';
  ctx.set('Cache-Control', 'no-store');
  ctx.body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${content}</p>
</main>
</body>
</html>
`.text;
}

function titleOf(status: number): string {
  if (status === 404) return 'Not found';
  return status === 429 ? 'Too many requests' : 'Something went wrong';
}
