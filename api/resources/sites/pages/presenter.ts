import type { PageOfAssignment } from '../../../../db/sites/assignment-pages.js';
import type { DocumentSummary } from '../../../../db/sites/site-page-documents.js';
import {
  hasUnpublishedChanges,
  type PageSummary,
  type PageView,
  statusOf,
} from '../../../../domain/sites/pages/page-view.js';
import type { ReadPage } from '../../../../domain/sites/public/read-page.js';
import type { Services } from '../../../http/services.js';
import { presentContents } from '../page-documents/presenter.js';
import type { documentStates, PageResponse } from './schemas.js';

type Addresses = Pick<Services, 'sites'>;

function presentPageSummary({ sites }: Addresses, view: PageSummary) {
  const { site, page, primary, documents } = view;
  return {
    ...page,
    title: primary.title,
    status: statusOf(page),
    url: `${sites.defaultUrl(site.uuid)}/${page.slug}`,
    isHomePage: site.homePageId === page.id,
    locale: primary.locale,
    primaryLocale: primary.locale,
    availableLocales: documents.map(({ locale }) => locale),
    hasUnpublishedChanges: hasUnpublishedChanges(view),
  };
}

export function presentListedPage(addresses: Addresses, view: PageSummary) {
  const documents = view.documents.map((document) => ({
    locale: document.locale,
    state: stateOf(document),
  }));
  return { ...presentPageSummary(addresses, view), documents };
}

function stateOf({ version, publishedVersion }: DocumentSummary): (typeof documentStates)[number] {
  if (publishedVersion === null) return 'draft';
  return publishedVersion === version ? 'published' : 'changed';
}

export function presentSitePage(addresses: Addresses, view: PageView) {
  const { metaDescription } = view.document;
  const summary = presentPageSummary(addresses, view);
  return { ...view.page, ...summary, metaDescription, ...presentContents(view.document) };
}

export function presentReadPage(page: ReadPage) {
  return { ...page, content: page.html, contentBlocks: page.content, availableLocales: page.locales };
}

/** What visitors read of a page; what its editors and its crawl know of it is left out. */
export function presentPageOfAssignment({ sites }: Addresses, page: PageOfAssignment): PageResponse {
  return {
    ...page,
    ...presentContents(page),
    status: 'published',
    url: `${sites.defaultUrl(page.siteUuid)}/${page.slug}`,
    primaryLocale: page.locale,
    availableLocales: page.locales,
    publishAt: null,
    publishFailure: null,
    hasUnpublishedChanges: false,
    sourceMetadata: {},
    sourceHtml: null,
    sourceMarkdown: null,
    sourceUrl: null,
    crawledAt: null,
  };
}
