import Type from 'typebox';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { createPage } from '../../../../domain/sites/pages/create-page.js';
import { deletePage } from '../../../../domain/sites/pages/delete-page.js';
import { publishPage, unpublishPage } from '../../../../domain/sites/pages/publish-page.js';
import { getPage, listPages } from '../../../../domain/sites/pages/read-pages.js';
import { lockPageForChange } from '../../../../domain/sites/pages/require-page.js';
import { schedulePage } from '../../../../domain/sites/pages/schedule-page.js';
import { updatePage } from '../../../../domain/sites/pages/update-page.js';
import { readSitePage } from '../../../../domain/sites/public/read-page.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { Uuid } from '../../../http/schemas.js';
import { editors, visitors } from '../access.js';
import { presentListedPage, presentReadPage, presentSitePage } from './presenter.js';
import {
  CreatePageRequest,
  ListPagesQuery,
  PageResponse,
  PageSummaryPage,
  PublishPageRequest,
  RenderedPageQuery,
  RenderedPageResponse,
  UpdatePageRequest,
} from './schemas.js';

const tag = 'Pages';

const full = {
  409: 'The site has as many pages (`too_many_pages`) or bytes of documents (`site_full`) as allowed.',
};

const pages = resource({
  tag: 'Pages',
  path: '/w/{workspace_uuid}/sites/{site_id}/pages',
  read: editors.read,
  write: editors.write,
});

const list = pages.list({
  operationId: 'listPages',
  summary: 'List the pages of a site',
  description: 'Without their contents, drafts among them.',
  query: ListPagesQuery,
  response: PageSummaryPage,
  handler: async ({ context, services, params, query }) =>
    presentPage(query, await listPages(context, params.site_id, query), (page) =>
      presentListedPage(services, page),
    ),
});

const create = pages.create({
  operationId: 'createPage',
  summary: 'Create a page',
  description:
    'A draft, in one locale; further ones are written with Write a document. A site has at most 1,000 pages.',
  body: CreatePageRequest,
  example: {
    body: {
      title: 'Opening hours',
      contentBlocks: {
        type: 'doc',
        content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Monday to Friday, 9 to 5.' }] }],
      },
    },
  },
  response: PageResponse,
  errors: full,
  handler: async ({ context, services, params, body }) =>
    presentSitePage(services, await createPage(context, params.site_id, body)),
});

const get = pages.get('/{page_id}', {
  operationId: 'getPage',
  summary: 'Get a page',
  description: 'As its editors have it, in its primary locale.',
  response: PageResponse,
  etag: true,
  handler: async ({ context, services, params }) =>
    presentSitePage(services, await getPage(context, params.site_id, params.page_id)),
});

const ifMatch = {
  current: get,
  lock: ({ context, params }: { context: CommandContext; params: { site_id: number; page_id: number } }) =>
    lockPageForChange(context, params.site_id, params.page_id),
};

const update = pages.update('/{page_id}', {
  operationId: 'updatePage',
  summary: 'Change a page',
  description:
    'Title, description and contents are those of the primary locale. Visitors read them once the page is published. An earlier slug goes on leading to the page.',
  body: UpdatePageRequest,
  example: { body: { title: 'Welcome', metaDescription: 'The clinic in the old town.' } },
  response: PageResponse,
  errors: full,
  ifMatch,
  handler: async ({ context, services, params, body }) =>
    presentSitePage(services, await updatePage(context, params.site_id, params.page_id, body)),
});

const remove = pages.remove('/{page_id}', {
  operationId: 'deletePage',
  summary: 'Delete a page',
  description:
    'With its documents and revisions, at once also for visitors. Menu items that lead to it are deleted, or become headings if there are others below them.',
  example: { params: { page_id: demo.pageToDelete }, once: true },
  ifMatch,
  handler: async ({ context, params }) => deletePage(context, params.site_id, params.page_id),
});

const publish = pages.act('/{page_id}/publish', {
  operationId: 'publishPage',
  summary: 'Publish a page',
  description:
    'Visitors read it in all its locales, as it is now; it is kept as a revision. With `publishAt`, it is published at that time instead, as it is then, by the right that the caller has then; a later request changes the time.',
  body: PublishPageRequest,
  example: { body: {} },
  response: PageResponse,
  ifMatch,
  handler: async ({ context, services, params: { site_id, page_id }, body: { publishAt } }) =>
    presentSitePage(
      services,
      typeof publishAt === 'string'
        ? await schedulePage(context, site_id, page_id, publishAt)
        : await publishPage(context, site_id, page_id),
    ),
});

const unpublish = pages.act('/{page_id}/unpublish', {
  operationId: 'unpublishPage',
  summary: 'Withdraw a page',
  description: 'Visitors do not find it any more, and a time at which it would be published is dropped.',
  example: { params: { page_id: demo.pageToUnpublish } },
  response: PageResponse,
  ifMatch,
  handler: async ({ context, services, params }) =>
    presentSitePage(services, await unpublishPage(context, params.site_id, params.page_id)),
});

const read = defineRoute({
  operationId: 'readPage',
  method: 'GET',
  path: '/s/{workspace_uuid}/{site_uuid}/pages/{page_slug_or_id}',
  tag,
  summary: 'Read a page',
  description:
    'A published page, for visitors of a public site and for members of the workspace. If the page does not have the locale, whatever was asked for, its primary locale is used. With `preview`, members with the permission sites:read read what editors have. Everything else is 404.',
  access: visitors,
  params: Type.Object({
    workspace_uuid: Uuid,
    site_uuid: Uuid,
    page_slug_or_id: Type.String({ minLength: 1, maxLength: 100 }),
  }),
  query: RenderedPageQuery,
  response: { status: 200, schema: RenderedPageResponse },
  etag: true,
  handler: async ({ context, params, query }) =>
    presentReadPage(
      await readSitePage(context, params.site_uuid, { slugOrId: params.page_slug_or_id, ...query }),
    ),
});

export const pageRoutes = [list, create, get, update, remove, publish, unpublish, read];
