import { type FileAccess, insertFile, type VersionContent } from '../../../db/files/files.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { fileEvent } from '../../kernel/events/file-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { storedExternalId } from '../../lib/plain-text.js';
import { accessOfNew } from '../file-access.js';
import { beginIndexing } from '../indexing/begin-indexing.js';
import { keepObject } from '../versions/store-upload.js';
import { pinDestination, reportingTakenExternalId } from './destination.js';
import { type FileView, viewFile } from './file-view.js';

export interface NewFile {
  /** The title. Default: the name of the file. */
  name?: string;
  description?: string;
  folderId?: number;
  /** Default: that of the folder, else private. */
  access?: FileAccess;
  externalId?: string;
}

/**
 * Makes a file of the caller's from an upload that `storeUpload` has put into the storage.
 * @throws InvalidInput, Forbidden
 */
export async function createFile(
  context: CommandContext,
  input: NewFile,
  content: VersionContent,
): Promise<FileView> {
  const { db, actor, clock } = context;
  const now = clock.now();
  return reportingTakenExternalId(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const folder =
        input.folderId === undefined ? undefined : await pinDestination(tx, actor, input.folderId);
      const access = accessOfNew(actor, folder, input.access);
      await keepObject(tx, content, now);
      const values = {
        title: input.name ?? content.filename,
        description: input.description ?? null,
        folderId: folder?.id ?? null,
        ownerMemberId: actor.memberId,
        access,
        source: 'upload',
        choicePrompt: null,
        externalId: input.externalId === undefined ? null : storedExternalId(input.externalId),
        lastEditedByMemberId: actor.memberId,
      } as const;
      const file = await insertFile(tx, values, content, now);
      if (access !== 'private') {
        recordAudit(tx, context, 'file:access_changed', { subject: ['file', file.id], names: [access] });
      }
      await beginIndexing(tx, file.currentVersionId);
      await writeEvents(tx, [fileEvent('created', file)], now);
      return viewFile(tx, actor, file, now);
    }),
  );
}
