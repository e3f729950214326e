import type { AssignmentRow } from '../../db/assignments/assignments.js';
import { lockChat } from '../../db/conversations/chats.js';
import {
  countFilesOfAssignment,
  detachFromAssignment,
  insertAttachments,
  selectAttachedTo,
} from '../../db/files/file-attachments.js';
import { type FileSortField, selectFiles } from '../../db/files/file-lists.js';
import type { Tx } from '../../db/tx.js';
import { lockAttachableFiles } from '../files/attachments/lock-attachable-files.js';
import { type FileView, viewFiles } from '../files/files/file-view.js';
import type { FileQuery } from '../files/files/get-and-list-files.js';
import { fileLimits } from '../files/limits.js';
import type { Actor } from '../kernel/actor.js';
import type { CommandContext } from '../kernel/context.js';
import { readerOf } from '../kernel/who-reads.js';
import { Conflict, Forbidden, NotFound } from '../lib/errors.js';
import type { PageOf, PageRequest } from '../lib/paging.js';
import { readableAssignment, writableAssignment } from './require-assignment.js';

/** Lists the files of an assignment that the caller may read. @throws NotFound, Forbidden */
export async function listFilesOfAssignment(
  { db, actor, clock }: CommandContext,
  assignmentId: number,
  { mine, ...query }: Omit<FileQuery, 'folderId' | 'atRoot'> & PageRequest<FileSortField>,
): Promise<PageOf<FileView>> {
  requireScopeOfFiles(actor);
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { id } = await readableAssignment(tx, actor, assignmentId);
    const own = mine === true ? { ownerId: [actor.memberId] } : {};
    const found = await selectFiles(tx, { ...query, ...own, assignmentId: id }, query, readerOf(actor));
    return { ...found, items: await viewFiles(tx, actor, found.items, clock.now()) };
  });
}

/**
 * Attaches files that the caller may read to an assignment: its member may read them from now on. Repeated, it changes
 * nothing. @throws NotFound, Forbidden, InvalidInput, Conflict `too_many_files`
 */
export async function attachFilesToAssignment(
  { db, actor, clock }: CommandContext,
  assignmentId: number,
  fileIds: readonly number[],
): Promise<FileView[]> {
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const assignment = await lockAssignment(tx, actor, assignmentId);
    const files = await lockAttachableFiles(tx, actor, fileIds, '/fileIds');
    const attached = await selectAttachedTo(tx, assignment.id, fileIds);
    const added = fileIds.filter((id) => !attached.has(id));
    const count = await countFilesOfAssignment(tx, assignment.id);
    if (count + added.length > fileLimits.filesOfAssignment) {
      const most = `An assignment has at most ${fileLimits.filesOfAssignment} files.`;
      throw new Conflict('too_many_files', most);
    }
    await insertAttachments(tx, {
      fileIds: added,
      to: { assignmentId: assignment.id },
      readerIds: [assignment.memberId],
      attachedByMemberId: actor.memberId,
    });
    return viewFiles(tx, actor, files, clock.now());
  });
}

/** Detaches a file that was attached to the assignment itself. @throws NotFound, Forbidden */
export async function detachFileFromAssignment(
  { db, actor }: CommandContext,
  assignmentId: number,
  fileId: number,
): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const assignment = await lockAssignment(tx, actor, assignmentId);
    if (!(await detachFromAssignment(tx, assignment.id, fileId))) throw new NotFound('File');
  });
}

/** Under the lock of the chat, so that two requests do not attach the same file, nor more than allowed. */
async function lockAssignment(tx: Tx, actor: Actor, assignmentId: number): Promise<AssignmentRow> {
  const assignment = await writableAssignment(tx, actor, assignmentId);
  await lockChat(tx, assignment.chatId);
  return assignment;
}

function requireScopeOfFiles(actor: Actor): void {
  if (!actor.hasScope('files:read')) {
    throw new Forbidden('files:read', 'To read files, the credential needs the scope files:read.');
  }
}
