import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, Page, PageQuery, Timestamp, Uuid } from '../../../http/schemas.js';

const indexingStates = ['pending', 'indexed', 'unsupported', 'failed', 'given_up'] as const;

export const FileVersionResponse = Type.Object(
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
    indexingState: OneOf(indexingStates, {
      description:
        'Whether the text of the version can be searched: pending (not yet), indexed, unsupported (there is no text), failed (the file cannot be read), given_up (reading it has failed three times)',
    }),
    indexingReason: Nullable(
      Type.String({
        description:
          'Why the text, or a part of it, cannot be searched, as a word: kind, no_text, truncated, damaged, password, too_large_inside, time, memory, output or crashed',
      }),
    ),
    indexedPages: Type.Integer({ minimum: 0, description: 'How many pages can be searched' }),
  },
  { $id: 'FileVersionResponse' },
);
export type FileVersionResponse = Static<typeof FileVersionResponse>;
export const FileVersionPage = Page(FileVersionResponse);

export const ListVersionsQuery = PageQuery(['number'], {}, 'desc');
