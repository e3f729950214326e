import { subjectsWaiting } from '../../../db/outbox.js';
import { findSitePageById, selectDuePages } from '../../../db/sites/site-pages.js';
import type { ServiceContext } from '../../kernel/context.js';
import { pokePublicationRun } from '../../kernel/runs.js';
import type { WalkPage } from '../../lib/paging.js';

/** A page that is to be published now, or soon, which needs its run. */
export interface DuePage {
  workspaceId: number;
  pageId: number;
  pageUuid: string;
}

const pageSize = 200;
/** Longer than two walks of the reconciler take. Before that, a page does without its run. */
const aheadMs = 15 * 60_000;

/** Returns the next of such pages, except those with an outbox entry that the relay has yet to deliver. */
export async function pageOfDuePages(
  { db, clock }: ServiceContext,
  workspaceId: number,
  after = 0,
): Promise<WalkPage<DuePage, number>> {
  const by = new Date(clock.now().getTime() + aheadMs);
  return db.readInWorkspace(workspaceId, async (tx) => {
    const pages = await selectDuePages(tx, { by, after, limit: pageSize });
    const uuids = pages.map(({ uuid }) => uuid);
    const waiting = await subjectsWaiting(tx, 'publishPage', uuids);
    const items = pages
      .filter(({ uuid }) => !waiting.has(uuid))
      .map(({ id, uuid }) => ({ workspaceId, pageId: id, pageUuid: uuid }));
    return { items, next: pages.length < pageSize ? undefined : pages.at(-1)?.id };
  });
}

/** Pokes the missing run of a page. Harmless if it exists. */
export async function restartPublication({ db }: ServiceContext, due: DuePage): Promise<void> {
  await db.inWorkspace(due.workspaceId, async (tx) => {
    const page = await findSitePageById(tx, due.pageId);
    if (page !== undefined && page.publishAt !== null) await pokePublicationRun(tx, page);
  });
}
