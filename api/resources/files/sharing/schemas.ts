import Type, { type TProperties } from 'typebox';
import { Id, Nullable, Picked, Timestamp, Uuid } from '../../../http/schemas.js';

/** A file as anyone may see it who may read it: nothing about members, labels or other links. */
export const SharedFileResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    title: Type.String(),
    description: Nullable(Type.String()),
    filename: Type.String({ description: 'The name under which the current version was uploaded' }),
    mimeType: Type.String({ description: 'The media type of the current version' }),
    fileSize: Type.Integer({ minimum: 0, description: 'The bytes of the current version' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'SharedFileResponse' },
);

/** As `Page`, with pages of up to 1,000 items (specification, sharing). */
const pageOfFiles = {
  total: Type.Integer({ minimum: 0, description: 'The number of files on all pages' }),
  page: Type.Integer({ minimum: 1, description: 'The number of this page, from 1' }),
  pageSize: Type.Integer({ minimum: 1, maximum: 1_000, description: 'The most files that a page has' }),
  totalPages: Type.Integer({ minimum: 0, description: 'The number of pages' }),
  isCut: Type.Optional(
    Type.Boolean({
      description:
        'True: the page was too large for one answer (2 MiB), and has its first files only. The others are on the same page with a smaller pageSize',
    }),
  ),
};

export const SharedFolderFilesResponse = Type.Object(
  {
    items: Type.Array(SharedFileResponse, { description: 'The files of this page, by title' }),
    ...pageOfFiles,
  },
  {
    $id: 'SharedFolderFilesResponse',
    description: 'A page of the files directly in the folder that the caller may see',
  },
);

export const SharedFolderResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    description: Nullable(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    files: SharedFolderFilesResponse,
  },
  { $id: 'SharedFolderResponse' },
);

const token = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description:
      'The token of a link, which lets its holder read what the link is to. One that is unknown, revoked or expired is ignored',
  }),
);

function query<Properties extends TProperties>(properties: Properties) {
  return Type.Object({ token, ...properties });
}

export const SharedFileQuery = query({});
export const SharedFolderQuery = query({
  page: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    default: 1,
    description: 'Number of the page, from 1',
  }),
  pageSize: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 100,
    description: 'The most files that a page has',
  }),
});
