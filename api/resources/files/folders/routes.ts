import { createFolder } from '../../../../domain/files/folders/create-folder.js';
import { type ContentsOfFolder, deleteFolder } from '../../../../domain/files/folders/delete-folder.js';
import type { FolderView } from '../../../../domain/files/folders/folder-view.js';
import { getFolder, listFolders } from '../../../../domain/files/folders/folders.js';
import { lockFolderForChange, updateFolder } from '../../../../domain/files/folders/update-folder.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { readers, writers } from '../access.js';
import {
  CreateFolderRequest,
  DeleteFolderQuery,
  FolderPage,
  FolderResponse,
  ListFoldersQuery,
  UpdateFolderRequest,
} from './schemas.js';

const tag = 'Folders';
const path = '/w/{workspace_uuid}/folders';
const pathOfOne = `${path}/{folder_id}` as const;

const folders = resource({
  tag: 'Folders',
  path: '/w/{workspace_uuid}/folders',
  read: readers,
  write: writers,
});

const create = folders.create({
  operationId: 'createFolder',
  audit: ['folder:access_changed'],
  summary: 'Create a folder',
  description:
    'The caller is its owner. In a folder of another member, the permission files:write is needed. A workspace has at most 10,000 folders, in at most 10 levels.',
  body: CreateFolderRequest,
  example: { body: { name: 'Aftercare', parentFolderId: demo.folderId }, once: true },
  response: FolderResponse,
  errors: { 409: 'The workspace has as many folders as allowed (`too_many_folders`).' },
  handler: async ({ context, body }) => presentFolder(await createFolder(context, body)),
});

const list = folders.list({
  operationId: 'listFolders',
  summary: 'List folders',
  description:
    'The folders that the caller sees: its own, those with the access workspace or public, and all with the permission files:read. `parentFolderId` makes them a tree.',
  query: ListFoldersQuery,
  response: FolderPage,
  handler: async ({ context, query }) => presentPage(query, await listFolders(context, query), presentFolder),
});

const get = folders.get('/{folder_id}', {
  operationId: 'getFolder',
  summary: 'Get a folder',
  response: FolderResponse,
  etag: true,
  handler: async ({ context, params }) => presentFolder(await getFolder(context, params.folder_id)),
});

const lock = ({ context, params }: { context: CommandContext; params: { folder_id: number } }) =>
  lockFolderForChange(context, params.folder_id);

const update = folders.update('/{folder_id}', {
  operationId: 'updateFolder',
  audit: ['folder:access_changed'],
  summary: 'Change or move a folder',
  description:
    'A parentFolderId moves the folder with all that is in it; null moves it to the root. A folder cannot be moved into itself or into a folder within it. For own folders, or any with the permission files:write.',
  body: UpdateFolderRequest,
  example: { body: { name: 'Leaflets and forms', parentFolderId: null } },
  response: FolderResponse,
  ifMatch: { current: get, lock },
  handler: async ({ context, params, body }) =>
    presentFolder(await updateFolder(context, params.folder_id, body)),
});

const remove = defineRoute({
  operationId: 'deleteFolder',
  method: 'DELETE',
  path: pathOfOne,
  tag,
  summary: 'Delete a folder',
  description:
    'Links to the folder end. Deleting or moving what is in it needs the right to change each part of it. Up to 1,000 files and 1,000 folders are deleted or moved in one request.',
  access: writers,
  query: DeleteFolderQuery,
  example: { params: { folder_id: demo.folderToDelete }, query: { contents: 'delete' }, once: true },
  response: { status: 204 },
  ifMatch: { current: get, lock },
  errors: {
    409: 'The folder is not empty (`folder_not_empty`), has too much in it for one request (`folder_too_large`), or a folder in the other place has the same slug (`folder_slug_taken`).',
  },
  handler: async ({ context, params, query }) =>
    deleteFolder(context, params.folder_id, contentsIn(query.contents)),
});

function contentsIn(text: string | undefined): ContentsOfFolder | undefined {
  if (text === undefined || text === 'delete') return text;
  const place = text.slice('move:'.length);
  return { moveTo: place === 'root' ? null : Number(place) };
}

function presentFolder(folder: FolderView) {
  return { ...folder, ownerId: folder.ownerMemberId };
}

export const folderRoutes = [create, list, get, update, remove];
