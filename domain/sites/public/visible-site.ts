import { findSite, findSiteByUuid, type SiteRow } from '../../../db/sites/sites.js';
import type { EnteredTx, Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import type { VisitContext } from '../../kernel/context.js';
import { readerOf } from '../../kernel/who-reads.js';
import { NotFound } from '../../lib/errors.js';

/** A site that is public, or of the workspace of somebody who is known there. @param siteUuid in any case @throws NotFound */
export async function requireVisibleSite(
  tx: EnteredTx,
  { actor }: VisitContext,
  siteUuid: string,
): Promise<SiteRow> {
  return visibleTo(actor, await findSiteByUuid(tx, siteUuid.toLowerCase()));
}

/** The same by the id that members use. @throws NotFound */
export async function requireSiteInSight(tx: Tx, actor: Actor, id: number): Promise<SiteRow> {
  return visibleTo(actor, await findSite(tx, id));
}

function visibleTo(actor: Actor | undefined, site: SiteRow | undefined): SiteRow {
  const seesAll = actor !== undefined && readerOf(actor).readsWorkspace;
  if (site === undefined || !(site.isPublic || seesAll)) throw new NotFound('Site');
  return site;
}
