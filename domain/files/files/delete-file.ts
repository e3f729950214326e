import { removeFiles } from '../../../db/files/files.js';
import type { CommandContext } from '../../kernel/context.js';
import { fileEvent } from '../../kernel/events/file-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { lockChangeableFile } from './lock-file-for-change.js';

/**
 * Deletes a file with its versions, links and attachments. A trigger dooms the objects of the versions, and the
 * collector deletes their bytes. @throws NotFound, Forbidden
 */
export async function deleteFile({ db, actor, clock }: CommandContext, fileId: number): Promise<void> {
  const now = clock.now();
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const file = await lockChangeableFile(tx, actor, fileId);
    await removeFiles(tx, [file.id]);
    await writeEvents(tx, [fileEvent('deleted', file)], now);
  });
}
