import { selectLeads } from '../../../db/sites/site-crawl-urls.js';
import { selectPublishedSlugs } from '../../../db/sites/site-pages.js';
import type { EnteredTx } from '../../../db/tx.js';
import { readCrawlUrl } from './crawl-url.js';
import { crawlLimits } from './limits.js';

/** In stored HTML, values of attributes have neither `<` nor `>` (domain/sites/documents/sanitize.ts). */
const link = /(<a\b[^>]*? href=")(https?:[^"#]*)(#[^"]*)?"/g;

/** Links of a page that are looked up. */
const maxLinks = 1_000;

interface OwnPage {
  siteId: number;
  pageId: number;
  homePageId: number | null;
}

/**
 * Makes the links of a crawled page that lead to the source lead to the pages that were made of it, where these are published: as paths
 * below the address of the site, as an editor writes them. Links to drafts go on leading to the source.
 * @param html of a stored document
 */
export async function leadToOwnPages(tx: EnteredTx, page: OwnPage, html: string): Promise<string> {
  const hashes = new Map<string, string>();
  for (const [, , address = ''] of html.matchAll(link)) {
    if (hashes.size >= maxLinks) break;
    const hash = readCrawlUrl(address.replaceAll('&amp;', '&'))?.urlHash;
    if (hash !== undefined) hashes.set(address, hash);
  }
  if (hashes.size === 0) return html;
  const paths = await pathsOf(tx, page, [...new Set(hashes.values())]);
  if (paths.size === 0) return html;
  return html.replace(link, (whole, before: string, address: string, fragment = '') => {
    const path = paths.get(hashes.get(address) ?? '');
    return path === undefined ? whole : `${before}${path}${fragment}"`;
  });
}

/** The paths of the published pages to which addresses lead, by the hashes of these; also by way of a few others. */
async function pathsOf(
  tx: EnteredTx,
  { siteId, pageId, homePageId }: OwnPage,
  urlHashes: readonly string[],
): Promise<Map<string, string>> {
  /** Where each address has led by now. */
  const ways = new Map(urlHashes.map((hash) => [hash, hash]));
  const pages = new Map<string, number>();
  for (let steps = 0; steps <= crawlLimits.redirects && ways.size > 0; steps += 1) {
    const found = await selectLeads(tx, { siteId, pageId }, [...new Set(ways.values())]);
    const leads = new Map(found.map((lead) => [lead.urlHash, lead]));
    for (const [asked, reached] of ways) {
      const lead = leads.get(reached);
      if (lead?.pageId != null) pages.set(asked, lead.pageId);
      if (lead?.pageId != null || lead?.leadsToHash == null) ways.delete(asked);
      else ways.set(asked, lead.leadsToHash);
    }
  }
  if (pages.size === 0) return new Map();
  const slugs = await selectPublishedSlugs(tx, [...new Set(pages.values())]);
  return new Map(
    [...pages].flatMap(([hash, id]): [string, string][] => {
      const slug = slugs.get(id);
      return slug === undefined ? [] : [[hash, id === homePageId ? '/' : `/${slug}`]];
    }),
  );
}
