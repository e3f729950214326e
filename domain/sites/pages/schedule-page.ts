import { patchSitePage } from '../../../db/sites/site-pages.js';
import type { CommandContext } from '../../kernel/context.js';
import { keepApiKey } from '../../kernel/keep-api-key.js';
import { pokePublicationRun } from '../../kernel/runs.js';
import { timeWithinAYear } from '../../lib/time-within-a-year.js';
import { type PageView, viewPage } from './page-view.js';
import { requirePageForChange } from './require-page.js';

/**
 * Has a page published at a time, as it is then, by the right of the caller. A later call changes the time.
 * @param publishAt ISO 8601, with an offset
 * @throws Forbidden, NotFound, InvalidInput
 */
export async function schedulePage(
  { db, actor, clock }: CommandContext,
  siteId: number,
  pageId: number,
  publishAt: string,
): Promise<PageView> {
  actor.require('sites:write');
  const moment = timeWithinAYear('/publishAt', publishAt, clock.now());
  const { kind, id } = actor.credential;
  const scheduledApiKeyId = kind === 'api_key' ? id : null;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const { site, page } = await requirePageForChange(tx, siteId, pageId);
    const scheduled = await patchSitePage(tx, page.id, {
      publishAt: moment,
      scheduledByMemberId: actor.memberId,
      scheduledApiKeyId,
      publishFailure: null,
    });
    await keepApiKey(db, tx, { apiKeyId: scheduledApiKeyId, dueAt: moment });
    await pokePublicationRun(tx, scheduled);
    return viewPage(tx, site, scheduled);
  });
}
