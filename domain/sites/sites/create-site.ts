import { lockSubject } from '../../../db/lock-subject.js';
import { countSites, insertSite } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import { givenNames, recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { slugOfName } from '../../kernel/labels.js';
import { Conflict } from '../../lib/errors.js';
import { maxSites, reportingTakenSlugOfSite, type SiteInput, siteValues } from './site-values.js';
import { type SiteView, viewSite } from './site-view.js';

export type NewSite = SiteInput & { name: string /** For seeds. */; uuid?: string };

const defaults = { primaryLocale: 'en-US', availableLocales: ['en-US'] };

/** Creates a site of the caller's, which no visitor sees unless `isPublic` says so. @throws Forbidden, InvalidInput, Conflict `too_many_sites` */
export async function createSite(context: CommandContext, input: NewSite): Promise<SiteView> {
  const { db, actor, clock } = context;
  actor.require('sites:write');
  const now = clock.now();
  const { uuid, slug = slugOfName(input.name), ...given } = input;
  const locales = withLocaleOf(given);
  return reportingTakenSlugOfSite(() =>
    viewSite(
      { db, actor, workspaceId: actor.workspaceId },
      async (tx) => {
        await requireRoomForSite(tx);
        const values = await siteValues(tx, actor, { ...given, ...locales }, defaults);
        const site = await insertSite(tx, {
          ownerMemberId: actor.memberId,
          ...values,
          ...(uuid === undefined ? {} : { uuid }),
          slug,
          createdAt: now,
          updatedAt: now,
        });
        recordAudit(tx, context, 'site:created', { subject: ['site', site.id], names: givenNames(input) });
        return site;
      },
      'write',
    ),
  );
}

/** A site that names only its primary locale has this one. */
function withLocaleOf({ primaryLocale, availableLocales }: SiteInput): Pick<SiteInput, 'availableLocales'> {
  if (primaryLocale === undefined || availableLocales !== undefined) return {};
  return { availableLocales: [primaryLocale] };
}

/** Sites of a workspace are counted one after the other. @throws Conflict `too_many_sites` */
export async function requireRoomForSite(tx: Tx): Promise<void> {
  await lockSubject(tx, 'sites');
  if ((await countSites(tx)) < maxSites) return;
  throw new Conflict('too_many_sites', `A workspace has at most ${maxSites} sites.`);
}
