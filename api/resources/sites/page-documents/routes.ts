import Type from 'typebox';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { deleteDocument } from '../../../../domain/sites/pages/delete-document.js';
import { getDocument, listDocuments } from '../../../../domain/sites/pages/read-pages.js';
import { lockPageForChange } from '../../../../domain/sites/pages/require-page.js';
import { writeDocument } from '../../../../domain/sites/pages/write-document.js';
import { demo } from '../../../http/demo.js';
import { resource } from '../../../http/resource.js';
import { Id, Uuid } from '../../../http/schemas.js';
import { editors, Locale } from '../access.js';
import { presentDocument } from './presenter.js';
import { PageDocumentResponse, PageDocumentSummaryResponse, WriteDocumentRequest } from './schemas.js';

const params = Type.Object({ workspace_uuid: Uuid, site_id: Id, page_id: Id, locale: Locale });

const documents = resource({
  tag: 'Pages',
  path: '/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}/documents',
  read: editors.read,
  write: editors.write,
});

const list = documents.list({
  operationId: 'listPageDocuments',
  summary: 'List the documents of a page',
  description: 'One for each locale, without its contents.',
  response: Type.Array(PageDocumentSummaryResponse),
  handler: async ({ context, params: { site_id, page_id } }) => listDocuments(context, site_id, page_id),
});

const get = documents.get('/{locale}', {
  operationId: 'getPageDocument',
  summary: 'Get the document of a page in a locale',
  params,
  response: PageDocumentResponse,
  etag: true,
  handler: async ({ context, params: { site_id, page_id, locale } }) =>
    presentDocument(await getDocument(context, site_id, page_id, locale)),
});

const ifMatch = {
  current: get,
  lock: ({ context, params }: { context: CommandContext; params: { site_id: number; page_id: number } }) =>
    lockPageForChange(context, params.site_id, params.page_id),
};

const write = documents.update('/{locale}', {
  operationId: 'writePageDocument',
  summary: 'Write a document',
  description:
    'Changes the document of a page in a locale of the site, or writes the first one in it. Visitors read it once the page is published. What is overwritten is kept as a revision, unless the same member saved within ten minutes.',
  params,
  body: WriteDocumentRequest,
  example: {
    params: { locale: 'de-DE' },
    body: {
      title: 'Willkommen',
      contentBlocks: {
        type: 'doc',
        content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Wir sind für Sie da.' }] }],
      },
    },
  },
  response: PageDocumentResponse,
  errors: { 409: 'The documents of the site have as many bytes as allowed (`site_full`).' },
  ifMatch,
  handler: async ({ context, params: { site_id, page_id, locale }, body }) =>
    presentDocument(await writeDocument(context, site_id, page_id, { locale, ...body })),
});

const remove = documents.remove('/{locale}', {
  operationId: 'deletePageDocument',
  summary: 'Delete the document of a page in a locale',
  description: 'With its revisions, at once also for visitors, who read the page in its other locales.',
  params,
  example: { params: { page_id: demo.pageToUnpublish, locale: 'de-DE' }, once: true },
  errors: { 409: 'It is the only document of the page (`last_document`).' },
  ifMatch,
  handler: async ({ context, params: { site_id, page_id, locale } }) =>
    deleteDocument(context, site_id, page_id, locale),
});

export const pageDocumentRoutes = [list, get, write, remove];
