import type { EnteredTx } from '../../../db/database.js';
import { findSiteByUuid, type SiteRow } from '../../../db/sites/sites.js';
import type { VisitContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** A site that is public, or of the workspace of somebody who is known there. @param siteUuid in any case @throws NotFound */
export async function requireVisibleSite(
  tx: EnteredTx,
  { actor }: VisitContext,
  siteUuid: string,
): Promise<SiteRow> {
  const site = await findSiteByUuid(tx, siteUuid.toLowerCase());
  if (site === undefined || (!site.isPublic && actor?.isKnown !== true)) throw new NotFound('Site');
  return site;
}
