import Type from 'typebox';
import { Id, Nullable, Page, PageQuery, Picked, Timestamp, Uuid } from '../../../http/schemas.js';
import { IndexedPages, IndexingReason, IndexingState } from '../indexing-fields.js';

export const FileVersionResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    number: Type.Integer({ minimum: 1 }),
    isCurrent: Type.Boolean({ description: 'Whether the file has the bytes of this version' }),
    filename: Type.String(),
    mimeType: Type.String(),
    fileSize: Type.Integer({ minimum: 0 }),
    uploadedByMemberId: Nullable(Id),
    createdAt: Timestamp,
    indexingState: IndexingState,
    indexingReason: IndexingReason,
    indexedPages: IndexedPages,
  },
  { $id: 'FileVersionResponse' },
);
export const FileVersionPage = Page(FileVersionResponse);

export const ListVersionsQuery = PageQuery(['number'], {}, 'desc');
