import { pinFileLabels } from '../../../db/files/file-labels.js';
import { type FileAccess, type FileRow, patchFile } from '../../../db/files/files.js';
import { fileEvent } from '../../events/events/file-events.js';
import { writeEvents } from '../../events/events/write-events.js';
import type { CommandContext } from '../../kernel/context.js';
import { requireAccessChange } from '../file-access.js';
import { labelFile } from '../labels/file-labels.js';
import { pinDestination, reportingTakenExternalId } from './destination.js';
import { type FileView, viewFile } from './file-view.js';
import { lockChangeableFile } from './lock-file-for-change.js';

export interface UpdateFile {
  title?: string;
  description?: string | null;
  /** Null: in no folder. */
  folderId?: number | null;
  /** The complete set of labels, which replaces the current one. */
  labelIds?: readonly number[];
  access?: FileAccess;
  choicePrompt?: string | null;
  externalId?: string | null;
}

/**
 * Changes what is known of a file. What changes nothing reports nothing. Moving a file does not change its access.
 * @throws NotFound, Forbidden, InvalidInput
 */
export async function updateFile(
  { db, actor, clock }: CommandContext,
  fileId: number,
  { labelIds, ...values }: UpdateFile,
): Promise<FileView> {
  const now = clock.now();
  return reportingTakenExternalId(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const labels = await pinFileLabels(tx, labelIds ?? []);
      const file = await lockChangeableFile(tx, actor, fileId);
      const { folderId, access } = values;
      if (access !== undefined) requireAccessChange(actor, file.access, access);
      if (typeof folderId === 'number' && folderId !== file.folderId) {
        await pinDestination(tx, actor, folderId);
      }
      const isLabelled = labelIds !== undefined && (await labelFile(tx, file.id, labelIds, labels));
      const changes = changesOf(file, values);
      if (!isLabelled && Object.keys(changes).length === 0) return viewFile(tx, actor, file, now);
      const edited = { ...changes, lastEditedByMemberId: actor.memberId, updatedAt: now };
      const changed = await patchFile(tx, file.id, edited);
      await writeEvents(tx, [fileEvent('updated', changed)], now);
      return viewFile(tx, actor, changed, now);
    }),
  );
}

function changesOf(file: FileRow, values: Omit<UpdateFile, 'labelIds'>): Partial<FileRow> {
  const changed = Object.entries(values).filter(
    ([field, value]) => value !== undefined && value !== file[field as keyof FileRow],
  );
  return Object.fromEntries(changed);
}
