import { findSitePageById, selectDuePages } from '../../../db/sites/site-pages.js';
import { rowsOfRun } from '../../kernel/reconcile-rows.js';
import { pokePublicationRun } from '../../kernel/runs.js';

/** Longer than two walks of the reconciler take. Before that, a page does without its run. */
const aheadMs = 15 * 60_000;

/** Pages that are to be published now, or soon. */
export const duePages = rowsOfRun({
  name: 'publications',
  runType: 'publishPage',
  select: (tx, { now, ...next }) => selectDuePages(tx, { by: new Date(now.getTime() + aheadMs), ...next }),
  async restart(tx, { id }) {
    const page = await findSitePageById(tx, id);
    if (page !== undefined && page.publishAt !== null) await pokePublicationRun(tx, page);
  },
});
