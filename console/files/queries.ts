import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { allPages } from '../kit/all-pages.js';
import { answer, api, type Schemas } from '../kit/api.js';
import { nextPage } from '../kit/more.js';
import type { PageQuery } from '../kit/paged-rows.js';
import type { FilesSearch } from './search.js';

export type StoredFile = Schemas['FileResponse'];
export type Folder = Schemas['FolderResponse'];
export type Version = Schemas['FileVersionResponse'];

/** What may be done with a file or folder, in its `permissions`. */
const change = 2;
const remove = 4;
const share = 8;
export const mayChange = ({ permissions }: Pick<Folder, 'permissions'>) => (permissions & change) !== 0;
export const mayDelete = ({ permissions }: Pick<Folder, 'permissions'>) => (permissions & remove) !== 0;
export const mayShare = ({ permissions }: Pick<Folder, 'permissions'>) => (permissions & share) !== 0;

export const pageSize = 50;
/** No stream tells of files: who comes back to the window sees what others have done. */
const refetchOnWindowFocus = 'always' as const;

/** The files of a folder, of the root, or of all folders. */
export function filesPage(uuid: string, asked: FilesSearch, page: number): PageQuery<StoredFile> {
  const { folder, all, kind, label, access, sortBy = 'title', sortOrder = 'asc' } = asked;
  const place = all ? {} : folder === undefined ? { atRoot: true } : { folderId: folder };
  const query = {
    ...place,
    kind: kind && [kind],
    labelId: label === undefined ? undefined : [label],
    access: access && [access],
    ...{ sortBy, sortOrder, page, pageSize },
  };
  return {
    queryKey: [uuid, 'files', 'list', query],
    refetchOnWindowFocus,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/files', { params: { path: { workspace_uuid: uuid }, query }, signal }),
      ),
  };
}

export function fileQuery(uuid: string, id: number) {
  const path = { workspace_uuid: uuid, file_id: id };
  return queryOptions({
    queryKey: [uuid, 'files', 'one', id],
    refetchOnWindowFocus,
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/files/{file_id}', { params: { path }, signal })),
  });
}

/** Where the bytes of a file are read by who is signed in. */
export const bytesAddress = (uuid: string, id: number, version: number): string =>
  `/api/v2/w/${uuid}/files/${id}/download?version=${version}`;

/** The folders directly in a folder, or at the root, by name. */
export function foldersIn(uuid: string, parent: number | undefined) {
  return infiniteQueryOptions({
    queryKey: [uuid, 'folders', 'list', parent ?? 'root'],
    refetchOnWindowFocus,
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) => {
      const place = parent === undefined ? { atRoot: true } : { parentFolderId: parent };
      const query = { ...place, page, pageSize: 100, sortBy: 'name' as const };
      const params = { path: { workspace_uuid: uuid }, query };
      return answer(api.GET('/w/{workspace_uuid}/folders', { params, signal }));
    },
    getNextPageParam: nextPage,
  });
}

export function folderQuery(uuid: string, id: number) {
  const path = { workspace_uuid: uuid, folder_id: id };
  return queryOptions({
    queryKey: [uuid, 'folders', 'one', id],
    refetchOnWindowFocus,
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/folders/{folder_id}', { params: { path }, signal })),
  });
}

/** The versions of a file, the newest first. */
export function versionsOf(uuid: string, id: number) {
  return infiniteQueryOptions({
    queryKey: [uuid, 'files', 'one', id, 'versions'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) => {
      const params = { path: { workspace_uuid: uuid, file_id: id }, query: { page, pageSize: 20 } };
      return answer(api.GET('/w/{workspace_uuid}/files/{file_id}/versions', { params, signal }));
    },
    getNextPageParam: nextPage,
  });
}

export function labelsQuery(uuid: string) {
  const query = { pageSize: 100, sortBy: 'name' } as const;
  return queryOptions({
    queryKey: [uuid, 'file-labels'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const params = { path: { workspace_uuid: uuid }, query: { ...query, page } };
        return answer(api.GET('/w/{workspace_uuid}/file-labels', { params, signal }));
      }),
  });
}

/** How many names a search shows. */
export const mostNames = 20;

/** Files and folders with this in their names, in all folders. */
export function namesFound(uuid: string, search: string) {
  const params = { path: { workspace_uuid: uuid }, query: { search, pageSize: mostNames } };
  return queryOptions({
    queryKey: [uuid, 'files', 'list', 'named', search],
    queryFn: async ({ signal }) => {
      const [files, folders] = await Promise.all([
        answer(api.GET('/w/{workspace_uuid}/files', { params, signal })),
        answer(api.GET('/w/{workspace_uuid}/folders', { params, signal })),
      ]);
      return { files, folders };
    },
  });
}

/** Passages of files with these words, the best first. */
export function passagesFound(uuid: string, q: string) {
  const params = { path: { workspace_uuid: uuid }, query: { q, limit: 20 } };
  return queryOptions({
    queryKey: [uuid, 'files', 'list', 'passages', q],
    refetchOnWindowFocus,
    queryFn: ({ signal }) => answer(api.GET('/w/{workspace_uuid}/files/search', { params, signal })),
  });
}
