import { insertSite } from '../../../db/sites/sites.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { slugOfName } from '../../kernel/labels.js';
import { copyPages } from '../pages/copy-pages.js';
import { requireRoomForSite } from './create-site.js';
import { requireLockedSite } from './require-site.js';
import { reportingTakenSlugOfSite } from './site-values.js';
import { type SiteView, viewSite } from './site-view.js';

/**
 * Creates a site of the caller's with the settings, pages and menu of another one. The copy is not public, and has no domain and no crawl, so that
 * nobody reads it before it is looked at. @throws NotFound, Forbidden, InvalidInput, Conflict `too_many_sites`
 */
export async function duplicateSite(
  context: CommandContext,
  id: number,
  { name, slug = slugOfName(name) }: { name: string; slug?: string },
): Promise<SiteView> {
  const { db, actor, clock } = context;
  actor.require('sites:write');
  const now = clock.now();
  return reportingTakenSlugOfSite(() =>
    viewSite(
      { db, actor, workspaceId: actor.workspaceId },
      async (tx) => {
        await requireRoomForSite(tx);
        const original = await requireLockedSite(tx, id);
        const copy = await insertSite(tx, {
          name,
          slug,
          theme: original.theme,
          themeSettings: original.themeSettings,
          content: original.content,
          tagLine: original.tagLine,
          metaDescription: original.metaDescription,
          redirectUrl: original.redirectUrl,
          isReseller: original.isReseller,
          allowSignup: original.allowSignup,
          signupMemberRoleId: original.signupMemberRoleId,
          ownerMemberId: actor.memberId,
          defaultDefinitionId: original.defaultDefinitionId,
          defaultAssistantMemberId: original.defaultAssistantMemberId,
          chatGreeting: original.chatGreeting,
          chatGreetingTranslations: original.chatGreetingTranslations,
          chatShowsNames: original.chatShowsNames,
          visitorChatsPerDay: original.visitorChatsPerDay,
          assetsFolderId: original.assetsFolderId,
          sourceFolderId: original.sourceFolderId,
          sourceReleaseId: original.sourceReleaseId,
          primaryLocale: original.primaryLocale,
          availableLocales: original.availableLocales,
          googleAnalyticsId: original.googleAnalyticsId,
          googleAdwordsId: original.googleAdwordsId,
          createdAt: now,
          updatedAt: now,
        });
        recordAudit(tx, context, 'site:duplicated', { subject: ['site', copy.id] });
        return copyPages(tx, { original, copy }, { memberId: actor.memberId, now });
      },
      'write',
    ),
  );
}
