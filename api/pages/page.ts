import type { Context } from 'koa';
import { type Html, html } from '../http/html.js';

/** Everything comes from this service, and nothing runs: pages are links and forms. */
const policy = (formAction: string) =>
  `default-src 'none'; style-src 'self'; img-src 'self' data:; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`;

export interface PageContent {
  title: string;
  content: Html;
  status?: number;
  /** The person who is signed in, with the token of its forms. */
  signedIn?: { name: string; formToken: string };
  /** Where forms of the page may lead beside this service: to the client of an authorization request. */
  formAction?: string;
  /** Where the browser goes on to by itself: not as the answer of a form, whose redirects `form-action` would bind. */
  goesOnTo?: string;
}

/** The settings, in the order of the menu. */
export const sections = [
  { path: '/settings', name: 'Account' },
  { path: '/settings/api-keys', name: 'API keys' },
  { path: '/settings/applications', name: 'Apps' },
  { path: '/settings/connections', name: 'Connected apps' },
  { path: '/settings/sessions', name: 'Sessions' },
] as const;

export const stylesPath = '/pages/styles.css';

/** Answers with a page of this service. */
export function answerPage(ctx: Context, page: PageContent): void {
  ctx.status = page.status ?? 200;
  ctx.type = 'html';
  ctx.set({
    'Content-Security-Policy': policy(page.formAction === undefined ? "'self'" : `'self' ${page.formAction}`),
    'Cache-Control': 'no-store',
    // With `no-referrer` a browser would send `Origin: null` with the forms of the page.
    'Referrer-Policy': 'same-origin',
  });
  ctx.body = document(page, ctx.path).text;
}

function document({ title, content, signedIn, goesOnTo }: PageContent, path: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${goesOnTo === undefined ? undefined : html`<meta http-equiv="refresh" content="0; url=${goesOnTo}">`}
<title>${title} – Workspace Engagement Service</title>
<link rel="icon" href="/api/v2/docs/icon.svg">
<link rel="stylesheet" href="${stylesPath}">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><p class="service">Workspace Engagement Service</p>${signedIn && signedInLine(signedIn)}</header>
${signedIn && menu(path)}
<main id="main" tabindex="-1">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}

function signedInLine({ name, formToken }: NonNullable<PageContent['signedIn']>): Html {
  return html`<form method="post" action="/sign-out" class="signed-in">
<input type="hidden" name="formToken" value="${formToken}">
<span>${name}</span> <button>Sign out</button></form>`;
}

function menu(path: string): Html {
  return html`<nav aria-label="Settings"><ul>${sections.map((section) => {
    const isCurrent =
      path === section.path || (section.path !== '/settings' && path.startsWith(section.path));
    const current = isCurrent ? html` aria-current="page"` : undefined;
    return html`<li><a href="${section.path}"${current}>${section.name}</a></li>`;
  })}</ul></nav>`;
}
