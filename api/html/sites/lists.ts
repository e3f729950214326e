import { eventLoopTurn } from '../../../domain/lib/event-loop-turn.js';
import type { FedPage, ListedShownPage, ShownSite } from '../../../domain/sites/public/show-site.js';
import { type Html, html } from '../../http/html.js';
import { type Answer, answerOf } from './answer.js';
import type { SiteLinks } from './site-paths.js';

const xmlHeaders = (type: string) => ({
  'Content-Type': `${type}; charset=utf-8`,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
});

/** Beyond it, the sitemap names no alternates: each page does that itself. */
const maxAlternates = 20_000;

/** How long entries are written before other requests are served. */
const maxTurnMs = 8;

/** The sitemap of a site (https://www.sitemaps.org/protocol.html): each page in each of its locales. */
export async function writeSitemap(links: SiteLinks, pages: readonly ListedShownPage[]): Promise<Answer> {
  const count = pages.reduce((sum, { locales }) => sum + locales.length ** 2, 0);
  const entries: Html[] = [];
  let turnBegan = performance.now();
  for (const page of pages) {
    if (performance.now() - turnBegan > maxTurnMs) {
      await eventLoopTurn();
      turnBegan = performance.now();
    }
    const others = count > maxAlternates || page.locales.length < 2 ? undefined : alternates(links, page);
    for (const locale of page.locales) entries.push(entry(links, page, locale, others));
  }
  const text = html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries}</urlset>
`;
  return answerOf(storable(text), xmlHeaders('application/xml'));
}

function entry(links: SiteLinks, page: ListedShownPage, locale: string, others: Html | undefined): Html {
  const changed = page.updatedAt.toISOString();
  return html`<url><loc>${links.canonical(page, locale)}</loc><lastmod>${changed}</lastmod>${others}</url>\n`;
}

function alternates(links: SiteLinks, page: ListedShownPage): Html {
  const each = page.locales.map(
    (one) => html`<xhtml:link rel="alternate" hreflang="${one}" href="${links.canonical(page, one)}"/>`,
  );
  return html`${each}`;
}

/** The feed of a site (Atom, RFC 4287): its newest pages, without their contents. */
export function writeFeed(
  { site }: ShownSite,
  links: SiteLinks,
  pages: readonly FedPage[],
  locale: string,
): Answer {
  const updated = pages.reduce(
    (latest, page) => (page.updatedAt > latest ? page.updatedAt : latest),
    site.createdAt,
  );
  const entries = pages.map((page): Html => {
    const to = links.canonical(page, page.locale);
    return html`<entry><id>urn:uuid:${page.uuid}</id><title>${page.title}</title><link rel="alternate" hreflang="${page.locale}" href="${to}"/>
<published>${page.publishedAt.toISOString()}</published><updated>${page.updatedAt.toISOString()}</updated>
${page.metaDescription ? html`<summary>${page.metaDescription}</summary>` : undefined}</entry>\n`;
  });
  const text = html`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">
<id>urn:uuid:${site.uuid}</id><title>${site.name}</title>${site.tagLine ? html`<subtitle>${site.tagLine}</subtitle>` : undefined}
<updated>${updated.toISOString()}</updated><author><name>${site.name}</name></author>
<link rel="self" href="${links.canonicalBelow('/feed')}"/><link rel="alternate" href="${links.canonical(undefined, links.primaryLocale)}"/>
${entries}</feed>
`;
  return answerOf(storable(text), xmlHeaders('application/atom+xml'));
}

/** What crawlers may read at the domain of a site. */
export function writeRobots(links: SiteLinks): Answer {
  const text = `User-agent: *\nAllow: /\nSitemap: ${links.canonicalBelow('/sitemap.xml')}\n`;
  return answerOf(text, { 'Content-Type': 'text/plain; charset=utf-8' });
}

/** What crawlers may read at the service: sites alone. */
export const robotsOfService = 'User-agent: *\nAllow: /s/\nDisallow: /\n';

/** XML has no control characters, not even escaped (XML 1.0, section 2.2). */
function storable({ text }: Html): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
