import Type from 'typebox';
import { Id, Name, Nullable, Picked, Time, Timestamp } from '../../../http/schemas.js';
import { MetaDescription, TipTapDocument } from '../document-schemas.js';

const summary = {
  id: Id,
  pageId: Type.Integer({ ...Id, description: 'Page that it belongs to' }),
  locale: Type.String(),
  version: Type.Integer({ minimum: 1, description: 'Rises with each change' }),
  title: Type.String(),
  metaDescription: MetaDescription,
  publishedVersion: Nullable(
    Type.Integer({ minimum: 1, description: 'The version that visitors read; null: none in this locale' }),
  ),
  publishedAt: Nullable(
    Time({ ...Timestamp, description: 'When that version was published; null: none is' }),
  ),
  editedByMemberId: Nullable(
    Type.Integer({ ...Id, description: 'Member who changed it last; null: the crawl did' }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const PageDocumentSummaryResponse = Picked(summary, { $id: 'PageDocumentSummaryResponse' });

export const PageDocumentResponse = Picked(
  {
    ...summary,
    contentBlocks: TipTapDocument,
    contentMarkdown: Type.String({ description: 'contentBlocks as Markdown' }),
    contentHtml: Type.String({ description: 'contentBlocks as HTML, sanitised' }),
    contentAMP: Type.String({ description: 'contentBlocks as HTML of AMP, sanitised' }),
  },
  { $id: 'PageDocumentResponse' },
);

export const WriteDocumentRequest = Type.Object(
  {
    title: Type.Optional(Name(200)),
    metaDescription: Type.Optional(MetaDescription),
    contentBlocks: Type.Optional(TipTapDocument),
  },
  { description: 'Omitted fields keep their values. The first document of a locale needs a title.' },
);
