import { patchSitePage } from '../../../db/sites/site-pages.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokePublicationRun } from '../../kernel/runs.js';
import { InvalidInput } from '../../lib/errors.js';
import { type PageView, viewPage } from './page-view.js';
import { requirePageForChange } from './require-page.js';

const dayMs = 24 * 3_600_000;
const longestAheadMs = 366 * dayMs;

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
  const moment = momentToPublish(publishAt, clock.now());
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
    // Whether the key was revoked is asked at that time, or late: until then it is not forgotten.
    if (scheduledApiKeyId !== null) {
      await db.identity.apiKeys.keepUntil(scheduledApiKeyId, new Date(moment.getTime() + dayMs), tx);
    }
    await pokePublicationRun(tx, scheduled);
    return viewPage(tx, site, scheduled);
  });
}

function momentToPublish(text: string, now: Date): Date {
  const moment = new Date(text);
  const inMs = moment.getTime() - now.getTime();
  if (!(inMs > 0)) throw InvalidInput.field('/publishAt', 'must be in the future');
  if (inMs > longestAheadMs) throw InvalidInput.field('/publishAt', 'must be within a year');
  return moment;
}
