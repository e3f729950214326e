import Type from 'typebox';
import { labelSlugPattern } from '../../../../domain/kernel/labels.js';
import {
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
import { Access, accesses, Permissions, ShareCount } from '../access.js';

export const FolderResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    slug: Type.String({
      description: 'Short name in lower case, unique among the folders in the same place',
    }),
    description: Nullable(Type.String()),
    parentFolderId: Nullable(Id),
    access: OneOf(accesses, {
      description: 'Who sees the folder, as in Create a folder. Its files have an access of their own',
    }),
    ownerId: Nullable(Type.Integer({ ...Id, description: 'Member who created the folder' })),
    permissions: Permissions,
    shareCount: ShareCount,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'FolderResponse' },
);
export const FolderPage = Page(FolderResponse);

const slug = Type.String({
  pattern: labelSlugPattern,
  maxLength: 63,
  description:
    'Short name in lower case, unique among the folders in the same place; derived from the name by default',
});
const description = Type.String({ maxLength: 1_000 });

export const CreateFolderRequest = Type.Object({
  name: Name(200),
  slug: Type.Optional(slug),
  description: Type.Optional(description),
  parentFolderId: Type.Optional(Nullable(Id)),
  access: Access('folder', 'By default that of the folder above, and private at the root'),
});

export const UpdateFolderRequest = Type.Object(
  {
    name: Type.Optional(Name(200)),
    slug: Type.Optional(slug),
    description: Type.Optional(Nullable(description)),
    parentFolderId: Type.Optional(Nullable(Id)),
    access: Access('folder', 'It changes the access of no file'),
  },
  { description: 'Omitted fields keep their values.' },
);

export const ListFoldersQuery = PageQuery(['name', 'slug', 'createdAt', 'updatedAt'], {
  parentFolderId: Type.Optional(Type.Integer({ ...Id, description: 'Only folders directly in this one' })),
  atRoot: Type.Optional(Type.Boolean({ description: 'True: only folders at the root' })),
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name or of the slug' }),
  ),
});

export const DeleteFolderQuery = Type.Object({
  contents: Type.Optional(
    Type.String({
      pattern: '^(delete|move:root|move:[1-9][0-9]{0,15})$',
      maxLength: 21,
      description:
        'What becomes of what is in the folder: `delete`: all files and folders below it are deleted as well; `move:root` or `move:` and the id of a folder: its files and folders are moved there. Left out: a folder that is not empty is not deleted',
    }),
  ),
});
