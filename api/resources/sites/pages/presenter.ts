import type { PageOfAssignment } from '../../../../db/sites/assignment-pages.js';
import {
  hasUnpublishedChanges,
  type PageSummary,
  type PageView,
  statusOf,
} from '../../../../domain/sites/pages/page-view.js';
import type { ReadPage } from '../../../../domain/sites/public/read-page.js';
import type { Services } from '../../../http/services.js';
import type { PageResponse, PageSummaryResponse, RenderedPageResponse } from './schemas.js';

type Addresses = Pick<Services, 'sites'>;

export function presentPageSummary({ sites }: Addresses, view: PageSummary): PageSummaryResponse {
  const { site, page, primary, documents } = view;
  const { id, uuid, siteId, slug, publishFailure } = page;
  return {
    id,
    uuid,
    siteId,
    slug,
    title: primary.title,
    status: statusOf(page),
    url: `${sites.defaultUrl(site.uuid)}/${slug}`,
    isHomePage: site.homePageId === id,
    locale: primary.locale,
    primaryLocale: primary.locale,
    availableLocales: documents.map(({ locale }) => locale),
    publishedAt: page.publishedAt?.toISOString() ?? null,
    publishAt: page.publishAt?.toISOString() ?? null,
    publishFailure,
    hasUnpublishedChanges: hasUnpublishedChanges(view),
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.updatedAt.toISOString(),
  };
}

export function presentSitePage(addresses: Addresses, view: PageView): PageResponse {
  const { page, document } = view;
  return {
    ...presentPageSummary(addresses, view),
    metaDescription: document.metaDescription,
    contentBlocks: document.content,
    contentMarkdown: document.markdown,
    contentHtml: document.html,
    contentAMP: document.amp,
    sourceMetadata: page.sourceMetadata,
    sourceHtml: page.sourceHtml,
    sourceMarkdown: page.sourceMarkdown,
    sourceUrl: page.sourceUrl,
    crawledAt: page.crawledAt?.toISOString() ?? null,
  };
}

export function presentReadPage(page: ReadPage): RenderedPageResponse {
  const { id, slug, title, metaDescription, status, locale, primaryLocale, locales } = page;
  return {
    ...{ id, slug, title, content: page.html, contentBlocks: page.content, metaDescription, status },
    ...{ locale, primaryLocale, availableLocales: locales },
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.updatedAt.toISOString(),
  };
}

/** What visitors read of a page; what its editors and its crawl know of it is left out. */
export function presentPageOfAssignment({ sites }: Addresses, page: PageOfAssignment): PageResponse {
  const { id, uuid, siteId, slug, title, metaDescription, isHomePage, locale, locales } = page;
  return {
    ...{ id, uuid, siteId, slug, title, metaDescription, isHomePage, locale },
    status: 'published',
    url: `${sites.defaultUrl(page.siteUuid)}/${slug}`,
    primaryLocale: locale,
    availableLocales: locales,
    publishedAt: page.publishedAt.toISOString(),
    publishAt: null,
    publishFailure: null,
    hasUnpublishedChanges: false,
    contentBlocks: page.content,
    contentMarkdown: page.markdown,
    contentHtml: page.html,
    contentAMP: page.amp,
    sourceMetadata: {},
    sourceHtml: null,
    sourceMarkdown: null,
    sourceUrl: null,
    crawledAt: null,
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.updatedAt.toISOString(),
  };
}
