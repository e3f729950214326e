import type { SiteRow } from '../../../db/sites/models/site.js';
import type { ShownSite } from '../../../domain/sites/public/show-site.js';
import { resolveThemeSettings } from '../../../domain/sites/themes/theme-settings.js';
import { themes } from '../../../domain/sites/themes/themes.js';
import { Html, html } from '../../http/html.js';
import { type Answer, answerOf } from './answer.js';
import { writeMenu } from './menu.js';
import { pageHeaders, pagePolicy } from './policy.js';
import { nonceOf, type PageScripts } from './scripts.js';
import { iconPath, type SiteLinks } from './site-paths.js';
import { stylesOf } from './styles.js';
import { directionOf, languageName, wordsIn } from './words.js';

/** Where and for whom a page is written. */
export interface Place {
  links: SiteLinks;
  /** The locale that the visitor has asked for, of those of the site. */
  locale: string;
  /** The address of the logo of the organization; undefined: there is none. */
  logo: string | undefined;
  scripts: readonly PageScripts[];
  /** Makes nonces. */
  secret: string;
}

/** What a page has of its own. */
export interface PageParts {
  title: string;
  /** Of the contents; by default the locale that was asked for. */
  locale?: string;
  description?: string | null;
  content: Html;
  /** Of a published page; undefined: search engines keep nothing of it. */
  found?: { page: { id: number; slug: string } | undefined; locales: readonly string[]; hasAmp: boolean };
  picture?: string | undefined;
}

/** Answers with a page in the look of its site. */
export function writePage(shown: ShownSite, place: Place, parts: PageParts, status = 200): Answer {
  const locale = parts.locale ?? place.locale;
  const before = html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
${writeHead(shown, place, parts, locale)}</head>
<body>
${writeBody(shown, place, parts, locale)}`;
  const after = '</body>\n</html>\n';
  const { scripts } = place;
  const nonce = scripts.length === 0 ? undefined : nonceOf(place.secret, before.text + idsOf(shown));
  const tags = nonce === undefined ? '' : scripts.map(({ tags: write }) => write(nonce).text).join('');
  const { service, preview } = place.links.place;
  const policy = pagePolicy({ scripts, nonce, service, isPreview: preview !== undefined });
  const headers = {
    ...pageHeaders,
    ...(preview === undefined ? {} : { 'X-Frame-Options': 'SAMEORIGIN' }),
    'Content-Language': locale,
    'Content-Security-Policy': policy,
  };
  return answerOf(before.text + tags + after, headers, status);
}

/** What scripts have of a site. */
function idsOf({ site }: ShownSite): string {
  const { uuid, googleAnalyticsId, googleAdwordsId, defaultDefinitionId, defaultAssistantMemberId } = site;
  return [uuid, googleAnalyticsId, googleAdwordsId, defaultDefinitionId, defaultAssistantMemberId].join(' ');
}

function writeHead({ site }: ShownSite, { links }: Place, parts: PageParts, locale: string): Html {
  const { found, picture } = parts;
  const title = parts.title === site.name ? site.name : `${parts.title} – ${site.name}`;
  const description = parts.description || site.metaDescription;
  const address = found && links.canonical(found.page, locale);
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${description ? html`<meta name="description" content="${description}">\n` : undefined}${
  found === undefined
    ? html`<meta name="robots" content="noindex">\n`
    : html`<link rel="canonical" href="${address}">
${alternates(links, found)}${found.hasAmp ? html`<link rel="amphtml" href="${withAmp(address ?? '')}">\n` : undefined}<meta property="og:type" content="website">
<meta property="og:title" content="${parts.title}">
<meta property="og:url" content="${address}">
<meta property="og:site_name" content="${site.name}">
<meta property="og:locale" content="${locale.replaceAll('-', '_')}">
${description ? html`<meta property="og:description" content="${description}">\n` : undefined}${
  picture === undefined ? undefined : html`<meta property="og:image" content="${picture}">\n`
}<meta name="twitter:card" content="${picture === undefined ? 'summary' : 'summary_large_image'}">
<link rel="alternate" type="application/atom+xml" title="${site.name}" href="${links.below('/feed')}">
`
}<link rel="icon" href="${links.below(iconPath)}">
<link rel="stylesheet" href="${links.styles(stylesOf(site).name)}">
`;
}

function alternates(links: SiteLinks, { page, locales }: NonNullable<PageParts['found']>): Html | undefined {
  if (locales.length < 2) return undefined;
  const each = locales.map(
    (one) => html`<link rel="alternate" hreflang="${one}" href="${links.canonical(page, one)}">\n`,
  );
  const others = links.canonical(page, links.primaryLocale);
  return html`${each}<link rel="alternate" hreflang="x-default" href="${others}">\n`;
}

/** The address of a page in AMP. */
export function withAmp(address: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}amp=1`;
}

function writeBody({ site, menu }: ShownSite, place: Place, parts: PageParts, locale: string): Html {
  const { links } = place;
  const { words, lang } = wordsIn(locale);
  const pageId = parts.found?.page?.id;
  const { showTagLine } = resolveThemeSettings(themes[site.theme].defaults, site.themeSettings);
  const tagLine = showTagLine === false ? null : site.tagLine;
  return html`<a class="skip" href="#content"${lang === locale ? undefined : html` lang="${lang}"`}>${words.skip}</a>
<header class="band"><div class="inner">
${writeSiteName(site, place)}
${tagLine ? html`<p class="tag-line">${tagLine}</p>\n` : undefined}${writeMenu(menu, {
  links,
  locale,
  askedLocale: place.locale,
  pageId,
  words,
})}</div></header>
<main id="content" tabindex="-1">
<h1>${parts.title}</h1>
${parts.content}
</main>
${languageSwitch(links, parts, locale)}`;
}

/** The name of a site, after the logo of its organization, which has no text of its own and leaves no trace where it is not public any more. */
export function writeSiteName(
  { name, theme, themeSettings }: SiteRow,
  { links, locale, logo }: Place,
  isAmp = false,
): Html {
  const { showLogo } = resolveThemeSettings(themes[theme].defaults, themeSettings);
  const picture = showLogo === false || logo === undefined ? undefined : writeLogo(logo, isAmp);
  return html`<p class="site-name"><a href="${links.home(locale)}">${picture}${name}</a></p>`;
}

function writeLogo(address: string, isAmp: boolean): Html {
  if (isAmp)
    return html`<amp-img class="logo contain" src="${address}" alt="" width="96" height="40" layout="fixed"></amp-img>`;
  return html`<img class="logo" src="${address}" alt="" height="40">`;
}

function languageSwitch(links: SiteLinks, { found }: PageParts, locale: string): Html | undefined {
  if (found === undefined || found.locales.length < 2) return undefined;
  const { words } = wordsIn(locale);
  const each = found.locales.map((one) => {
    const to = found.page === undefined ? links.home(one) : links.page(found.page, one);
    const current = one === locale ? html` aria-current="true"` : undefined;
    return html`<li><a href="${to}" hreflang="${one}" lang="${one}"${current}>${languageName(one)}</a></li>`;
  });
  return html`<footer><nav aria-label="${words.languages}"><ul class="languages">${each}</ul></nav></footer>
`;
}

/** HTML that the service has made and sanitised. */
export function storedHtml(text: string): Html {
  return new Html(text);
}
