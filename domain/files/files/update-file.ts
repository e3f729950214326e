import { pinFileLabels } from '../../../db/files/file-labels.js';
import { type FileAccess, type FileRow, patchFile } from '../../../db/files/files.js';
import { pinSite } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { fileEvent } from '../../kernel/events/file-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { InvalidInput } from '../../lib/errors.js';
import { storedExternalId } from '../../lib/plain-text.js';
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
  /** Null: of no site. */
  siteId?: number | null;
  choicePrompt?: string | null;
  externalId?: string | null;
}

/**
 * Changes what is known of a file. What changes nothing reports nothing. Moving a file does not change its access.
 * @throws NotFound, Forbidden, InvalidInput
 */
export async function updateFile(
  context: CommandContext,
  fileId: number,
  { labelIds, ...given }: UpdateFile,
): Promise<FileView> {
  const { db, actor, clock } = context;
  const { externalId } = given;
  const values = externalId == null ? given : { ...given, externalId: storedExternalId(externalId) };
  const now = clock.now();
  return reportingTakenExternalId(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const labels = await pinFileLabels(tx, labelIds ?? []);
      const file = await lockChangeableFile(tx, actor, fileId);
      const { folderId, access, siteId } = values;
      if (access !== undefined) requireAccessChange(actor, file.access, access);
      if (typeof folderId === 'number' && folderId !== file.folderId) {
        await pinDestination(tx, actor, folderId);
      }
      if (siteId !== undefined && siteId !== file.siteId) await requirePlaceOnSite(tx, actor, siteId);
      const isLabelled = labelIds !== undefined && (await labelFile(tx, file.id, labelIds, labels));
      const changes = changesOf(file, values);
      if (!isLabelled && Object.keys(changes).length === 0) return viewFile(tx, actor, file, now);
      const edited = { ...changes, lastEditedByMemberId: actor.memberId, updatedAt: now };
      const changed = await patchFile(tx, file.id, edited);
      if (changes.access !== undefined || changes.siteId !== undefined) {
        const names = [changed.access, ...(changes.siteId === undefined ? [] : ['siteId'])];
        recordAudit(tx, context, 'file:access_changed', { subject: ['file', file.id], names });
      }
      await writeEvents(tx, [fileEvent('updated', changed)], now);
      return viewFile(tx, actor, changed, now);
    }),
  );
}

/** Who gives a file to a site shows it to all that read the site. @throws Forbidden, InvalidInput */
async function requirePlaceOnSite(tx: Tx, actor: Actor, siteId: number | null): Promise<void> {
  actor.require('sites:write');
  if (siteId === null || (await pinSite(tx, siteId)) !== undefined) return;
  throw InvalidInput.field('/siteId', 'names no site of this workspace');
}

function changesOf(file: FileRow, values: Omit<UpdateFile, 'labelIds'>): Partial<FileRow> {
  const changed = Object.entries(values).filter(
    ([field, value]) => value !== undefined && value !== file[field as keyof FileRow],
  );
  return Object.fromEntries(changed);
}
