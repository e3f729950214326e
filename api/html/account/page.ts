import type { Context } from 'koa';
import { type Html, html } from '../../http/html.js';
import { type Language, languageOf } from './texts/language.js';

/** Everything comes from this service, and nothing runs: pages are links and forms. */
const policy = (formAction: string) =>
  `default-src 'none'; style-src 'self'; img-src 'self' data:; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`;

/** What a page says of the person who is signed in. */
export interface SignedIn {
  name: string;
  /** The address by which one tells accounts apart; undefined for a session of an organization. */
  address?: string | undefined;
  formToken: string;
}

export interface PageContent {
  title: string;
  content: Html;
  status?: number;
  /** That of the browser unless the person has chosen one. */
  language?: Language;
  /** The person who is signed in, with the token of its forms. */
  signedIn?: SignedIn;
  /** Without the menu of the settings, where it would lead away from what is asked. */
  withoutMenu?: boolean;
  /** Whose page it is, where it is not the service's own. */
  sender?: string;
  /** Where forms of the page may lead beside this service: to the client of an authorization request. */
  formAction?: string;
  /** Where the browser goes on to by itself: not as the answer of a form, whose redirects `form-action` would bind. */
  goesOnTo?: string;
}

export const homePath = '/home';

/** The menu, in its order; names are in the texts. */
export const sections = [
  { path: homePath, name: 'home' },
  { path: '/settings', name: 'account' },
  { path: '/settings/api-keys', name: 'apiKeys' },
  { path: '/settings/applications', name: 'apps' },
  { path: '/settings/connections', name: 'connections' },
  { path: '/settings/sessions', name: 'sessions' },
] as const;

export const stylesPath = '/pages/styles.css';

/** Answers with a page of this service. */
export function answerPage(ctx: Context, page: PageContent): void {
  ctx.status = page.status ?? 200;
  ctx.type = 'html';
  ctx.set(pageHeaders(page.formAction));
  ctx.body = pageDocument(page, page.language ?? languageOf(ctx), ctx.path);
}

/** What browsers are told of a page. */
export function pageHeaders(formAction?: string): Record<string, string> {
  return {
    'Content-Security-Policy': policy(formAction === undefined ? "'self'" : `'self' ${formAction}`),
    'Cache-Control': 'no-store',
    // With `no-referrer` a browser would send `Origin: null` with the forms of the page.
    'Referrer-Policy': 'same-origin',
  };
}

/** The whole document of a page. */
export function pageDocument(page: PageContent, { lang, texts }: Language, path = ''): string {
  const { title, content, signedIn, goesOnTo, withoutMenu, sender = texts.service } = page;
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${goesOnTo === undefined ? undefined : html`<meta http-equiv="refresh" content="0; url=${goesOnTo}">`}
<title>${title} – ${sender}</title>
<link rel="icon" href="/api/v2/docs/icon.svg">
<link rel="stylesheet" href="${stylesPath}">
</head>
<body>
<a class="skip" href="#main">${texts.skip}</a>
<header><p class="service">${sender}</p>${
    signedIn &&
    html`<form method="post" action="/sign-out" class="signed-in">
<input type="hidden" name="formToken" value="${signedIn.formToken}">
<span>${signedIn.name}</span> <button>${texts.signOut}</button></form>`
  }</header>
${signedIn === undefined || withoutMenu ? undefined : menu(path, texts)}
<main id="main" tabindex="-1">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}

function menu(path: string, texts: Language['texts']): Html {
  return html`<nav aria-label="${texts.settings}"><ul>${sections.map((section) => {
    const isWhole = section.name === 'home' || section.name === 'account';
    const isCurrent = path === section.path || (!isWhole && path.startsWith(section.path));
    const current = isCurrent ? html` aria-current="page"` : undefined;
    return html`<li><a href="${section.path}"${current}>${texts[section.name]}</a></li>`;
  })}</ul></nav>`;
}
