import Type from 'typebox';
import {
  type AnswerOf,
  AnyOf,
  createdBetween,
  Id,
  Name,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Picked,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';
import { FileLabelResponse } from '../../labels.js';
import { Access, accesses, Permissions, ShareCount } from '../access.js';
import { IndexedPages, IndexingReason, IndexingState } from '../indexing-fields.js';

const kinds = ['document', 'image', 'data', 'media', 'other'] as const;

export const FileFolderResponse = Type.Object(
  { id: Id, uuid: Uuid, name: Type.String(), slug: Type.String() },
  { $id: 'FileFolderResponse' },
);

const Indexing = Type.Object(
  { state: IndexingState, reason: IndexingReason, pages: IndexedPages },
  {
    description:
      'How far the text of the current version can be searched. It changes by itself, so the ETag does not depend on it',
  },
);

export const FileResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    title: Type.String(),
    description: Nullable(Type.String()),
    filename: Type.String(),
    mimeType: Type.String(),
    folderId: Nullable(Id),
    siteId: Nullable(Type.Integer({ ...Id, description: 'Site that the file belongs to' })),
    externalId: Nullable(Type.String()),
    folder: Nullable(FileFolderResponse),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    data: Nullable(
      Type.String({
        description:
          'A PNG, JPG or GIF image of up to 32 KiB as a `data:` address, in Get a file only; null otherwise',
      }),
    ),
    cdnUrl: Type.String({
      description: 'Address of the bytes that needs no credentials and is valid for 15 to 20 minutes',
    }),
    fileSize: Type.Integer({ minimum: 0 }),
    accessMode: Type.Integer({
      minimum: 0,
      maximum: 3,
      description:
        'The access in the numbers of data records: 0: private, its owner reads and changes it; 1: private, and its owner only reads it, as it came with a message or from an agent; 3: every member reads it',
    }),
    choicePrompt: Type.Optional(
      Type.String({ description: 'When the agent is to choose the file, in words for it' }),
    ),
    ownerId: Type.Optional(Id),
    access: OneOf(accesses),
    isS3Stored: Type.Boolean({
      description: 'Whether the bytes are in an S3-compatible storage, not on a disk of the service',
    }),
    permissions: Permissions,
    labels: Type.Array(FileLabelResponse),
    shareCount: ShareCount,
    currentVersionNumber: Type.Integer({ minimum: 1 }),
    indexing: Indexing,
    lastEditedByMemberId: Type.Optional(Id),
  },
  { $id: 'FileResponse' },
);
export type FileResponse = AnswerOf<typeof FileResponse>;
export const FilePage = Page(FileResponse);

const description = Type.String({ maxLength: 2_000 });
const externalId = Type.String({ minLength: 1, maxLength: 200 });

export const UploadFileRequest = Type.Object({
  name: Type.Optional(Type.String({ ...Name(200), description: 'Title of the file; by default its name' })),
  description: Type.Optional(description),
  folderId: Type.Optional(
    Type.Integer({ ...Id, description: 'Folder to put the file into; by default none' }),
  ),
  access: Access('file', 'By default that of the folder, and private without one'),
  externalId: Type.Optional(externalId),
});

export const UpdateFileRequest = Type.Object(
  {
    title: Type.Optional(Name(200)),
    description: Type.Optional(Nullable(description)),
    folderId: Type.Optional(
      Nullable(
        Type.Integer({ ...Id, description: 'Folder to move the file to; null: to none. Its access stays' }),
      ),
    ),
    labelIds: Type.Optional(Type.Array(Id, { maxItems: 50 })),
    access: Access('file', 'Left out, it stays'),
    siteId: Type.Optional(
      Nullable(
        Type.Integer({
          ...Id,
          description:
            'Site whose readers may read the file, whatever its access is; needs the permission sites:write. Null: none',
        }),
      ),
    ),
    choicePrompt: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 2_000, description: 'When the agent is to choose the file' }),
      ),
    ),
    externalId: Type.Optional(Nullable(externalId)),
  },
  { description: 'Omitted fields keep their values.' },
);

const sorts = ['createdAt', 'updatedAt', 'title'] as const;
const filters = {
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Part of the title or of the file name' }),
  ),
  kind: Type.Optional(AnyOf(OneOf(kinds))),
  labelId: Type.Optional(AnyOf(Id)),
  access: Type.Optional(AnyOf(OneOf(accesses))),
  ownerId: Type.Optional(AnyOf(Id)),
  externalId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The whole external id' }),
  ),
  mine: Type.Optional(Type.Boolean({ description: "True: only the caller's own files" })),
  ...createdBetween,
};

export const ListFilesOfFolderQuery = PageQuery(sorts, filters);
export const ListFilesQuery = PageQuery(sorts, {
  ...filters,
  folderId: Type.Optional(Type.Integer({ ...Id, description: 'Only files directly in this folder' })),
  atRoot: Type.Optional(Type.Boolean({ description: 'True: only files in no folder' })),
});
