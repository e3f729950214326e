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
import { Uuid } from '../../../http/schemas.js';
import { editors, visitors } from '../access.js';
import { presentPageSummary, presentReadPage, presentSitePage } from './presenter.js';
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
const path = '/w/{workspace_uuid}/sites/{site_id}/pages';
const pathOfOne = `${path}/{page_id}` as const;

const full = {
  409: 'The site has as many pages (`too_many_pages`) or bytes of documents (`site_full`) as allowed.',
};

const list = defineRoute({
  operationId: 'listPages',
  method: 'GET',
  path,
  tag,
  summary: 'List the pages of a site',
  description: 'Without their contents, drafts among them.',
  access: editors.read,
  query: ListPagesQuery,
  response: { status: 200, schema: PageSummaryPage },
  handler: async ({ context, services, params, query }) =>
    presentPage(query, await listPages(context, params.site_id, query), (page) =>
      presentPageSummary(services, page),
    ),
});

const create = defineRoute({
  operationId: 'createPage',
  method: 'POST',
  path,
  tag,
  summary: 'Create a page',
  description:
    'A draft, in one locale; further ones are written with Write a document. A site has at most 1,000 pages.',
  access: editors.write,
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
  response: { status: 201, schema: PageResponse },
  errors: full,
  handler: async ({ context, services, params, body }) =>
    presentSitePage(services, await createPage(context, params.site_id, body)),
});

const get = defineRoute({
  operationId: 'getPage',
  method: 'GET',
  path: pathOfOne,
  tag,
  summary: 'Get a page',
  description: 'As its editors have it, in its primary locale.',
  access: editors.read,
  response: { status: 200, schema: PageResponse },
  etag: true,
  handler: async ({ context, services, params }) =>
    presentSitePage(services, await getPage(context, params.site_id, params.page_id)),
});

const ifMatch = {
  current: get,
  lock: ({ context, params }: { context: CommandContext; params: { site_id: number; page_id: number } }) =>
    lockPageForChange(context, params.site_id, params.page_id),
};

const update = defineRoute({
  operationId: 'updatePage',
  method: 'PUT',
  path: pathOfOne,
  tag,
  summary: 'Change a page',
  description:
    'Title, description and contents are those of the primary locale. Visitors read them once the page is published. An earlier slug goes on leading to the page.',
  access: editors.write,
  body: UpdatePageRequest,
  example: { body: { title: 'Welcome', metaDescription: 'The clinic in the old town.' } },
  response: { status: 200, schema: PageResponse },
  errors: full,
  ifMatch,
  handler: async ({ context, services, params, body }) =>
    presentSitePage(services, await updatePage(context, params.site_id, params.page_id, body)),
});

const remove = defineRoute({
  operationId: 'deletePage',
  method: 'DELETE',
  path: pathOfOne,
  tag,
  summary: 'Delete a page',
  description:
    'With its documents and revisions, at once also for visitors. Menu items that lead to it are deleted, or become headings if there are others below them.',
  access: editors.write,
  example: { params: { page_id: demo.pageToDelete }, once: true },
  response: { status: 204 },
  ifMatch,
  handler: async ({ context, params }) => deletePage(context, params.site_id, params.page_id),
});

const publish = defineRoute({
  operationId: 'publishPage',
  method: 'POST',
  path: `${pathOfOne}/publish`,
  tag,
  summary: 'Publish a page',
  description:
    'Visitors read it in all its locales, as it is now; it is kept as a revision. With `publishAt`, it is published at that time instead, as it is then, by the right that the caller has then; a later request changes the time.',
  access: editors.write,
  body: PublishPageRequest,
  example: { body: {} },
  response: { status: 200, schema: PageResponse },
  ifMatch,
  handler: async ({ context, services, params: { site_id, page_id }, body: { publishAt } }) =>
    presentSitePage(
      services,
      typeof publishAt === 'string'
        ? await schedulePage(context, site_id, page_id, publishAt)
        : await publishPage(context, site_id, page_id),
    ),
});

const unpublish = defineRoute({
  operationId: 'unpublishPage',
  method: 'POST',
  path: `${pathOfOne}/unpublish`,
  tag,
  summary: 'Withdraw a page',
  description: 'Visitors do not find it any more, and a time at which it would be published is dropped.',
  access: editors.write,
  example: { params: { page_id: demo.pageToUnpublish } },
  response: { status: 200, schema: PageResponse },
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
