import { findSitePage } from '../../../db/sites/site-pages.js';
import { patchSite } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import { givenNames, recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import { requireLockedSite } from './require-site.js';
import { reportingTakenSlugOfSite, type SiteInput, siteValues } from './site-values.js';
import { type SiteView, viewSite } from './site-view.js';

/** Changes a site. Chats that began with its workflow keep theirs. @throws NotFound, Forbidden, InvalidInput */
export async function updateSite(
  context: CommandContext,
  id: number,
  changes: SiteInput & { homePageId?: number | null },
): Promise<SiteView> {
  const { db, actor, clock } = context;
  actor.require('sites:write');
  return reportingTakenSlugOfSite(() =>
    viewSite(
      { db, actor, workspaceId: actor.workspaceId },
      async (tx) => {
        const site = await requireLockedSite(tx, id);
        await requireHomePage(tx, id, changes.homePageId);
        const values = await siteValues(tx, actor, changes, site);
        const names = givenNames(changes);
        if (names.length === 0) return site;
        recordAudit(tx, context, 'site:updated', { subject: ['site', id], names });
        return patchSite(tx, id, { ...values, updatedAt: clock.now() });
      },
      'write',
    ),
  );
}

/** Pages are deleted under the lock of their site, which the caller holds. */
async function requireHomePage(tx: Tx, siteId: number, pageId: number | null | undefined): Promise<void> {
  if (pageId == null || (await findSitePage(tx, siteId, pageId)) !== undefined) return;
  throw InvalidInput.field('/homePageId', 'names no page of this site');
}
