import Type from 'typebox';
import { getRevision, listRevisions, restoreRevision } from '../../../../domain/sites/pages/revisions.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { Id, Uuid } from '../../../http/schemas.js';
import { editors, Locale } from '../access.js';
import { presentDocument } from '../page-documents/presenter.js';
import { PageDocumentResponse } from '../page-documents/schemas.js';
import { DocumentRevisionResponse, DocumentRevisionSummaryPage, ListRevisionsQuery } from './schemas.js';

const ofDocument = { workspace_uuid: Uuid, site_id: Id, page_id: Id, locale: Locale };

const refOf = ({ site_id, page_id, locale }: { site_id: number; page_id: number; locale: string }) => ({
  siteId: site_id,
  pageId: page_id,
  locale,
});

const revisions = resource({
  tag: 'Pages',
  path: '/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}/documents/{locale}/revisions',
  read: editors.read,
  write: editors.write,
});

const list = revisions.list({
  operationId: 'listDocumentRevisions',
  summary: 'List the revisions of a document',
  description: 'Its kept earlier versions, the newest first, without their contents. The newest 30 are kept.',
  params: Type.Object(ofDocument),
  query: ListRevisionsQuery,
  response: DocumentRevisionSummaryPage,
  handler: async ({ context, params, query }) =>
    presentPage(query, await listRevisions(context, refOf(params), query)),
});

const get = revisions.get('/{revision_id}', {
  operationId: 'getDocumentRevision',
  summary: 'Get a revision of a document',
  params: Type.Object({ ...ofDocument, revision_id: Id }),
  example: { params: { revision_id: demo.pageRevisionId } },
  response: DocumentRevisionResponse,
  handler: async ({ context, params }) => {
    const revision = await getRevision(context, refOf(params), params.revision_id);
    return { ...revision, contentBlocks: revision.content };
  },
});

const restore = revisions.act('/{revision_id}/restore', {
  operationId: 'restoreDocumentRevision',
  summary: 'Restore a revision of a document',
  description:
    'Makes it what editors work on; what they had is kept as another revision. Visitors read it once the page is published.',
  params: Type.Object({ ...ofDocument, revision_id: Id }),
  example: { params: { revision_id: demo.pageRevisionId } },
  response: PageDocumentResponse,
  errors: { 409: 'The documents of the site have as many bytes as allowed (`site_full`).' },
  handler: async ({ context, params }) =>
    presentDocument(await restoreRevision(context, refOf(params), params.revision_id)),
});

export const documentRevisionRoutes = [list, get, restore];
