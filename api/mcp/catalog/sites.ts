import { defineTool } from '../define-tool.js';
import { routeOf } from '../route-of.js';
import { adds, reads, replaces } from './annotations.js';

/** What people read in a browser; a model reads contentMarkdown. */
const rendered = ['contentHtml', 'contentAMP', 'sourceHtml', 'sourceMarkdown', 'sourceMetadata'];

const listSites = defineTool({
  name: 'list_sites',
  title: 'List sites',
  description:
    'Lists the sites of the workspace: name, address, whether they are public, their locales and number of pages. The id is the site_id of the other tools of sites. Next: list_pages for the pages of one.',
  route: routeOf('listSites'),
  omit: ['sortBy', 'sortOrder', 'theme', 'isPublic'],
  dropped: [
    ...['theme', 'themeSettings', 'resolvedThemeSettings', 'content', 'permissions', 'organizationLogoUrl'],
    ...['googleAnalyticsId', 'googleAdwordsId', 'assetsFolderId', 'sourceFolderId', 'sourceReleaseId'],
    ...['crawl', 'crawlUrl', 'crawlStartedAt', 'crawlCompletedAt', 'crawlCompleted', 'crawlFailedAt'],
    ...['crawlError', 'crawlExcludedTags', 'crawlJobId', 'crawlPrevious', 'crawlLimit'],
  ],
  annotations: reads,
  untrusted: true,
});

const listPages = defineTool({
  name: 'list_pages',
  title: 'List the pages of a site',
  description:
    'Lists the pages of a site without their contents, by status or a part of a slug or title: what visitors read, and what editors have changed since (hasUnpublishedChanges). Next: get_page for the contents of one.',
  route: routeOf('listPages'),
  omit: ['sortBy', 'sortOrder'],
  annotations: reads,
  untrusted: true,
});

const getPage = defineTool({
  name: 'get_page',
  title: 'Get a page',
  description:
    'Returns a page as its editors have it, in its primary locale: title, description, status, contents as Markdown (contentMarkdown) and as a document of TipTap (contentBlocks). Read it before update_page, and keep the parts of contentBlocks that stay.',
  route: routeOf('getPage'),
  dropped: rendered,
  annotations: reads,
  untrusted: true,
});

const createPage = defineTool({
  name: 'create_page',
  title: 'Create a page',
  description:
    'Creates a draft page of a site, which visitors do not see. contentBlocks is a document of TipTap 3: {"type":"doc","content":[…]} of paragraph, heading (attrs.level), bulletList, orderedList with listItem, blockquote, codeBlock, image (attrs.src, attrs.alt), table, horizontalRule, with text nodes that may have marks bold, italic, code and link (attrs.href: https, mailto, tel or a path). Returns the page; a person publishes it.',
  route: routeOf('createPage'),
  dropped: rendered,
  annotations: adds,
  untrusted: true,
});

const updatePage = defineTool({
  name: 'update_page',
  title: 'Change a page',
  description:
    'Changes title, slug, description or contents of a page, in its primary locale; contentBlocks replaces the whole document. Visitors go on reading the published version until a person publishes the page. What is overwritten can be restored from the revisions of the page. Returns the page.',
  route: routeOf('updatePage'),
  dropped: rendered,
  annotations: replaces,
  untrusted: true,
});

export const siteTools = [listSites, listPages, getPage, createPage, updatePage];
