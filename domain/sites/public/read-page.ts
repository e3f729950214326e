import {
  findPageDocument,
  findPrimaryDocument,
  findPublishedPage,
  selectDocumentSummaries,
} from '../../../db/sites/site-page-documents.js';
import { findSitePage, findSitePageBySlug } from '../../../db/sites/site-pages.js';
import type { SiteRow } from '../../../db/sites/sites.js';
import type { EnteredTx } from '../../../db/tx.js';
import type { VisitContext } from '../../kernel/context.js';
import { NotFound, Unauthenticated } from '../../lib/errors.js';
import { canonicalLocale } from '../../lib/locales.js';
import { statusOf } from '../pages/page-view.js';
import { requireVisibleSite } from './visible-site.js';

/** A page as it is read, in one locale. */
export interface ReadPage {
  id: number;
  slug: string;
  status: 'draft' | 'scheduled' | 'published';
  title: string;
  metaDescription: string | null;
  content: Record<string, unknown>;
  html: string;
  amp: string;
  locale: string;
  primaryLocale: string;
  locales: string[];
  createdAt: Date;
  updatedAt: Date;
}

export interface PageRequestOf {
  /** A slug, also an earlier one, or an id. */
  slugOrId: string;
  locale?: string | undefined;
  /** Show what editors have, published or not. */
  preview?: boolean | undefined;
}

/**
 * A published page, or with `preview` what editors have, in a locale, else in the primary locale.
 * @throws NotFound, and with `preview` Unauthenticated or Forbidden
 */
export async function readSitePage(
  context: VisitContext,
  siteUuid: string,
  request: PageRequestOf,
): Promise<ReadPage> {
  const { db, workspaceId, actor } = context;
  if (request.preview === true) {
    if (actor === undefined) throw new Unauthenticated('A preview is for members who edit the site.');
    actor.require('sites:read');
  }
  return db.readInWorkspace(workspaceId, async (tx) => {
    const site = await requireVisibleSite(tx, context, siteUuid);
    const found =
      request.preview === true ? await preview(tx, site, request) : await published(tx, site, request);
    if (found === undefined) throw new NotFound('Page');
    return found;
  });
}

function addressed({ slugOrId, locale }: PageRequestOf) {
  const isId = /^[0-9]{1,15}$/.test(slugOrId);
  return {
    slug: isId ? null : slugOrId,
    id: isId ? Number(slugOrId) : null,
    locale: locale === undefined ? null : canonicalLocale(locale),
  };
}

/** The published page that a request names. */
export async function published(
  tx: EnteredTx,
  site: SiteRow,
  request: PageRequestOf,
): Promise<ReadPage | undefined> {
  const found = await findPublishedPage(tx, site, addressed(request));
  if (found === undefined) return undefined;
  const { publishedAt, ...page } = found;
  const primaryLocale = primaryOf(site, page.locales);
  return { ...page, status: 'published', primaryLocale, updatedAt: publishedAt };
}

async function preview(tx: EnteredTx, site: SiteRow, request: PageRequestOf): Promise<ReadPage | undefined> {
  const { id, slug, locale } = addressed(request);
  const page =
    id === null ? await findSitePageBySlug(tx, site.id, slug ?? '') : await findSitePage(tx, site.id, id);
  if (page === undefined) return undefined;
  const asked = locale === null ? undefined : await findPageDocument(tx, page.id, locale);
  const document = asked ?? (await findPrimaryDocument(tx, page.id, site.primaryLocale));
  if (document === undefined) return undefined;
  const { title, metaDescription, content, html, amp, updatedAt } = document;
  const locales = (await selectDocumentSummaries(tx, [page.id])).map((one) => one.locale);
  return {
    id: page.id,
    slug: page.slug,
    status: statusOf(page),
    ...{ title, metaDescription, content, html, amp, updatedAt },
    locale: document.locale,
    primaryLocale: primaryOf(site, locales),
    locales,
    createdAt: page.createdAt,
  };
}

/** The locale of the site, where the page has it. */
function primaryOf({ primaryLocale }: SiteRow, locales: readonly string[]): string {
  return locales.includes(primaryLocale) ? primaryLocale : (locales[0] ?? primaryLocale);
}
