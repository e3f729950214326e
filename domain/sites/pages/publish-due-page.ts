import { findLastingPermissions } from '../../../db/people/member-access.js';
import { findSitePageById, patchSitePage, type SitePageRow } from '../../../db/sites/site-pages.js';
import type { Tx } from '../../../db/tx.js';
import type { PublicationStep } from '../../../workflows/contracts/steps.js';
import { recordAuditOfNobody } from '../../kernel/audit/record-audit.js';
import type { ServiceContext } from '../../kernel/context.js';
import { publish, unscheduled } from './publish-page.js';
import { requirePageForChange } from './require-page.js';

export interface PageRef {
  workspaceId: number;
  pageId: number;
}

/**
 * Publishes a page if its time has come, once. If who scheduled it may not do so any more, it stays as it is, and says why.
 */
export async function publishDuePage(
  { db, clock }: ServiceContext,
  { workspaceId, pageId }: PageRef,
): Promise<PublicationStep> {
  return db.inWorkspace(workspaceId, async (tx): Promise<PublicationStep> => {
    const named = await findSitePageById(tx, pageId);
    if (named === undefined) return { kind: 'ended', outcome: 'gone' };
    const { page } = await requirePageForChange(tx, named.siteId, pageId);
    if (page.publishAt === null) return { kind: 'ended', outcome: 'not_scheduled' };
    const now = clock.now();
    if (page.publishAt > now) return { kind: 'wait', until: page.publishAt.getTime() };
    const { scheduledByMemberId: memberId } = page;
    if (memberId === null || !(await mayPublish(tx, page, memberId, now))) {
      await patchSitePage(tx, page.id, { ...unscheduled, publishFailure: 'author_not_allowed' });
      return { kind: 'ended', outcome: 'refused' };
    }
    await publish(tx, page, now);
    const by = { subject: ['site_page', page.id] as const, actorMemberId: memberId };
    recordAuditOfNobody(tx, { now }, 'site_page:published', by);
    return { kind: 'ended', outcome: 'published' };
  });
}

async function mayPublish(
  tx: Tx,
  { scheduledApiKeyId: apiKeyId }: SitePageRow,
  memberId: number,
  now: Date,
): Promise<boolean> {
  const permissions = await findLastingPermissions(tx, { memberId, apiKeyId, scopes: ['sites:write'], now });
  return permissions?.includes('sites:write') ?? false;
}
