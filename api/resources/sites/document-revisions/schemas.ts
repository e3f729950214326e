import Type from 'typebox';
import { maxRevisions } from '../../../../db/sites/site-page-revisions.js';
import { Id, Nullable, OneOf, Page, Picked, Time, Timestamp } from '../../../http/schemas.js';
import { MetaDescription, TipTapDocument } from '../document-schemas.js';

const summary = {
  id: Id,
  number: Type.Integer({ minimum: 1, description: 'Counts the revisions of the document, from 1' }),
  version: Type.Integer({ minimum: 1, description: 'The version of the document that was kept' }),
  reason: OneOf(['edited', 'published', 'restored'], {
    description:
      'When it was kept: before other edits, when it was published, or before another was restored',
  }),
  title: Type.String(),
  metaDescription: MetaDescription,
  editedByMemberId: Nullable(
    Type.Integer({ ...Id, description: 'Member who wrote this version; null: the crawl did' }),
  ),
  editedAt: Time({ ...Timestamp, description: 'When this version was written' }),
  createdAt: Timestamp,
};

export const DocumentRevisionSummaryResponse = Picked(summary, {
  $id: 'DocumentRevisionSummaryResponse',
});
export const DocumentRevisionSummaryPage = Page(DocumentRevisionSummaryResponse);

export const DocumentRevisionResponse = Picked(
  { ...summary, contentBlocks: TipTapDocument },
  { $id: 'DocumentRevisionResponse' },
);

export const ListRevisionsQuery = Type.Object({
  page: Type.Integer({
    minimum: 1,
    maximum: maxRevisions,
    default: 1,
    description: 'Number of the page, from 1',
  }),
  pageSize: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 25,
    description: 'The most items that a page has',
  }),
});
