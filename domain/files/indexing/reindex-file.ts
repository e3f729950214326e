import {
  countPendingVersions,
  type IndexedVersion,
  lockIndexedVersion,
  patchIndexing,
} from '../../../db/files/file-indexing.js';
import { removePassages } from '../../../db/files/file-passages.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokeIndexingRun } from '../../kernel/runs.js';
import { Conflict } from '../../lib/errors.js';
import { type FileView, viewFile } from '../files/file-view.js';
import { lockChangeableFile } from '../files/lock-file-for-change.js';
import { fileLimits } from '../limits.js';
import { initialIndexing } from './indexing.js';

/**
 * Has the text of the current version of a file read again, from its first page on; while it waits to be read already,
 * only its run is woken. Files of a kind without text stay as they are.
 * @throws NotFound, Forbidden, Conflict `too_many_to_index`
 */
export async function reindexFile({ db, actor, clock }: CommandContext, fileId: number): Promise<FileView> {
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const file = await lockChangeableFile(tx, actor, fileId);
    const version = await lockIndexedVersion(tx, file.currentVersionId);
    if (version === undefined) throw new Error(`file ${file.id} has no current version`);
    if (hasText(version)) {
      if (version.indexingState !== 'pending') {
        const most = fileLimits.pendingForReindexing;
        if ((await countPendingVersions(tx, most)) >= most) throw tooMany();
        await removePassages(tx, [version.id]);
        await patchIndexing(tx, version.id, startedAnew);
      }
      await pokeIndexingRun(tx, version);
    }
    return viewFile(tx, actor, file, clock.now());
  });
}

const startedAnew = {
  indexingState: 'pending',
  indexingReason: null,
  indexingAttempts: 0,
  indexedPages: 0,
} as const;

function hasText({ mimeType }: IndexedVersion): boolean {
  return initialIndexing(mimeType).indexingState === 'pending';
}

function tooMany(): Conflict {
  const message = `${fileLimits.pendingForReindexing} files of the workspace or more wait to be indexed. Try again later.`;
  return new Conflict('too_many_to_index', message);
}
