import type { FileShareRow } from '../../../../db/files/file-shares.js';
import { createShare, listShares, revokeShare, type Shared } from '../../../../domain/files/shares/shares.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import type { Route } from '../../../http/route.js';
import { writers } from '../access.js';
import { CreateShareRequest, ListSharesQuery, NewShareLinkResponse, ShareLinkPage } from './schemas.js';

interface Subject {
  noun: 'file' | 'folder';
  title: 'File' | 'Folder';
  tag: 'Files' | 'Folders';
  shareUuid: string;
}

type SubjectParams = Record<'file_id' | 'folder_id', number>;

/** The routes of links to files, or to folders. */
function shareRoutesOf({ noun, title, tag, shareUuid }: Subject): Route[] {
  const path = `/w/{workspace_uuid}/${noun}s/{${noun}_id}/shares` as const;
  const sharedIn = (params: object): Shared => {
    const ids = params as SubjectParams;
    return noun === 'file' ? { fileId: ids.file_id } : { folderId: ids.folder_id };
  };
  return [
    defineRoute({
      operationId: `create${title}Share`,
      audit: ['share:created'],
      method: 'POST',
      path,
      tag,
      summary: `Create a link to a ${noun}`,
      description: `Everyone with its token reads the ${noun} at the sharing endpoints, without signing in, until the link expires or is revoked. For own ${noun}s, or any with the permission files:write. There are at most 100 links to a ${noun}.`,
      access: writers,
      body: CreateShareRequest,
      example: { body: {} },
      response: { status: 201, schema: NewShareLinkResponse },
      secretAnswer: true,
      errors: { 409: `The ${noun} has as many links as allowed (\`too_many_links\`).` },
      handler: async ({ context, params, body }) => {
        const { share, token } = await createShare(context, sharedIn(params), body);
        return { ...presentShare(share, context.clock.now()), token };
      },
    }),
    defineRoute({
      operationId: `list${title}Shares`,
      method: 'GET',
      path,
      tag,
      summary: `List the links to a ${noun}`,
      description: `With those that have ended, and without their tokens. For own ${noun}s, or any with the permission files:write.`,
      access: writers,
      query: ListSharesQuery,
      response: { status: 200, schema: ShareLinkPage },
      handler: async ({ context, params, query }) => {
        const now = context.clock.now();
        const found = await listShares(context, sharedIn(params), query);
        return presentPage(query, found, (share) => presentShare(share, now));
      },
    }),
    defineRoute({
      operationId: `revoke${title}Share`,
      audit: ['share:revoked'],
      method: 'DELETE',
      path: `${path}/{share_uuid}`,
      tag,
      summary: `Revoke a link to a ${noun}`,
      description: 'It stops working at once. Revoking it again changes nothing.',
      access: writers,
      example: { params: { share_uuid: shareUuid } },
      response: { status: 204 },
      handler: async ({ context, params }) => {
        const { share_uuid: uuid } = params as unknown as { share_uuid: string };
        await revokeShare(context, sharedIn(params), uuid);
      },
    }),
  ];
}

function presentShare(share: FileShareRow, now: Date) {
  const { revokedAt, expiresAt } = share;
  return { ...share, isInForce: revokedAt === null && (expiresAt === null || expiresAt > now) };
}

export const shareRoutes = [
  ...shareRoutesOf({ noun: 'file', title: 'File', tag: 'Files', shareUuid: demo.fileShareUuid }),
  ...shareRoutesOf({ noun: 'folder', title: 'Folder', tag: 'Folders', shareUuid: demo.folderShareUuid }),
];
