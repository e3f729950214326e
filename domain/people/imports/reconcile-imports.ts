import { subjectsWaiting } from '../../../db/outbox.js';
import { findMemberImport, selectOpenImports } from '../../../db/people/member-imports.js';
import type { ServiceContext } from '../../kernel/context.js';
import { pokeImportRun } from '../../kernel/runs.js';
import type { WalkPage } from '../../lib/paging.js';

/** An import that has not ended, which needs its run. */
export interface OpenImport {
  workspaceId: number;
  importId: number;
  importUuid: string;
}

const pageSize = 200;

/** Returns the next page of such imports, except those with an outbox entry that the relay has yet to deliver. */
export async function pageOfOpenImports(
  { db }: ServiceContext,
  workspaceId: number,
  afterId = 0,
): Promise<WalkPage<OpenImport, number>> {
  return db.readInWorkspace(workspaceId, async (tx) => {
    const imports = await selectOpenImports(tx, afterId, pageSize);
    const uuids = imports.map(({ uuid }) => uuid);
    const waiting = await subjectsWaiting(tx, 'importMembers', uuids);
    const items = imports
      .filter(({ uuid }) => !waiting.has(uuid))
      .map(({ id, uuid }) => ({ workspaceId, importId: id, importUuid: uuid }));
    return { items, next: imports.length < pageSize ? undefined : imports.at(-1)?.id };
  });
}

/** Pokes the missing run of an import. Harmless if it exists. */
export async function restartImport({ db }: ServiceContext, open: OpenImport): Promise<void> {
  await db.inWorkspace(open.workspaceId, async (tx) => {
    const found = await findMemberImport(tx, open.importId);
    if (found !== undefined && found.finishedAt === null) await pokeImportRun(tx, found);
  });
}
