import { patchSite } from '../../../db/sites/sites.js';
import { givenNames, noteAudit } from '../../kernel/audit/note-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { requireLockedSite } from './require-site.js';
import { reportingTakenSlugOfSite, type SiteInput, siteValues } from './site-values.js';
import { type SiteView, viewSite } from './site-view.js';

/** Changes a site. Chats that began with its workflow keep theirs. @throws NotFound, Forbidden, InvalidInput */
export async function updateSite(context: CommandContext, id: number, changes: SiteInput): Promise<SiteView> {
  const { db, actor, clock } = context;
  actor.require('sites:write');
  return reportingTakenSlugOfSite(() =>
    viewSite(
      { db, actor, workspaceId: actor.workspaceId },
      async (tx) => {
        const site = await requireLockedSite(tx, id);
        const values = await siteValues(tx, actor, changes, site);
        const names = givenNames(changes);
        if (names.length === 0) return site;
        noteAudit(tx, context, 'site:updated', { subject: ['site', id], names });
        return patchSite(tx, id, { ...values, updatedAt: clock.now() });
      },
      'write',
    ),
  );
}
