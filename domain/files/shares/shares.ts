import {
  countAllShares,
  type FileShareRow,
  insertShare,
  patchShareRevoked,
  type Shared,
  selectShares,
} from '../../../db/files/file-shares.js';
import { lockFolder } from '../../../db/files/folders.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { readerOf } from '../../kernel/who-reads.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { requireFileChange, requireFolderChange } from '../file-access.js';
import { lockChangeableFile } from '../files/lock-file-for-change.js';
import { fileLimits } from '../limits.js';
import { requireReadableFile, requireReadableFolder } from '../require-readable.js';
import { createShareToken } from './share-token.js';

export type { Shared } from '../../../db/files/file-shares.js';

/**
 * Creates a link to a file or folder: whoever has its token reads it, until it expires or is revoked.
 * @returns the token too, which is not stored
 * @throws NotFound, Forbidden, InvalidInput, Conflict `too_many_links`
 */
export async function createShare(
  context: CommandContext,
  shared: Shared,
  { expiresAt = null }: { expiresAt?: string | null },
): Promise<{ share: FileShareRow; token: string }> {
  const { db, actor, clock } = context;
  const now = clock.now();
  const expiry = expiresAt === null ? null : new Date(expiresAt);
  if (expiry !== null && expiry <= now) throw InvalidInput.field('/expiresAt', 'must be in the future');
  const { token, hash } = createShareToken();
  const share = await db.inWorkspace(actor.workspaceId, async (tx) => {
    await lockShareable(tx, actor, shared);
    if ((await countAllShares(tx, shared)) >= fileLimits.linksOfSubject) {
      const most = `There are at most ${fileLimits.linksOfSubject} links, with those that were revoked.`;
      throw new Conflict('too_many_links', most);
    }
    const values = { tokenHash: hash, expiresAt: expiry, createdByMemberId: actor.memberId };
    recordAudit(tx, context, 'share:created', { subject: subjectOf(shared) });
    return insertShare(tx, shared, values, now);
  });
  return { share, token };
}

/** Lists the links, with those that have ended, for those who may share. @throws NotFound, Forbidden */
export async function listShares(
  { db, actor }: CommandContext,
  shared: Shared,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<FileShareRow>> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    if ('fileId' in shared) requireFileChange(actor, await requireReadableFile(tx, actor, shared.fileId));
    else requireFolderChange(actor, await requireReadableFolder(tx, actor, shared.folderId));
    return selectShares(tx, shared, page);
  });
}

/** Revokes a link at once; repeating it changes nothing. @throws NotFound, Forbidden */
export async function revokeShare(context: CommandContext, shared: Shared, uuid: string): Promise<void> {
  const { db, actor, clock } = context;
  const now = clock.now();
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    await lockShareable(tx, actor, shared);
    if ((await patchShareRevoked(tx, shared, uuid, now)) === undefined) throw new NotFound('Link');
    recordAudit(tx, context, 'share:revoked', { subject: subjectOf(shared) });
  });
}

function subjectOf(shared: Shared): ['file' | 'folder', number] {
  return 'fileId' in shared ? ['file', shared.fileId] : ['folder', shared.folderId];
}

async function lockShareable(tx: Tx, actor: Actor, shared: Shared): Promise<void> {
  if ('fileId' in shared) {
    await lockChangeableFile(tx, actor, shared.fileId);
    return;
  }
  const folder = await lockFolder(tx, shared.folderId, readerOf(actor));
  if (folder === undefined) throw new NotFound('Folder');
  requireFolderChange(actor, folder);
}
