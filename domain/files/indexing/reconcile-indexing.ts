import { lockIndexedVersion, selectPendingVersions } from '../../../db/files/file-indexing.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import type { ServiceContext } from '../../kernel/context.js';
import { startIndexingRun } from '../../kernel/runs.js';
import type { WalkPage } from '../../lib/paging.js';
import type { VersionRef } from './index-version.js';

/** A version that waits to be indexed, by its run `indexFile`. */
export interface PendingIndexing extends VersionRef {
  versionUuid: string;
}

const pageSize = 200;

/** Returns the next page of such versions, except those with an outbox entry that the relay has yet to deliver. */
export async function pageOfPendingVersions(
  context: ServiceContext,
  workspaceId: number,
  afterId = 0,
): Promise<WalkPage<PendingIndexing, number>> {
  return context.db.readInWorkspace(workspaceId, async (tx) => {
    const versions = await selectPendingVersions(tx, { after: afterId, limit: pageSize });
    const waiting = await subjectsWaiting(
      tx,
      'indexFile',
      versions.map(({ uuid }) => uuid),
    );
    const items = versions
      .filter(({ uuid }) => !waiting.has(uuid))
      .map(({ id, uuid }) => ({ workspaceId, versionId: id, versionUuid: uuid }));
    return { items, next: versions.length < pageSize ? undefined : versions.at(-1)?.id };
  });
}

/** Starts the missing run of a version. Harmless if it exists. */
export async function restartIndexing(context: ServiceContext, ref: VersionRef): Promise<void> {
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const version = await lockIndexedVersion(tx, ref.versionId);
    if (version?.indexingState === 'pending') await startIndexingRun(tx, version);
  });
}
