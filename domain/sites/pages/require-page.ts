import { findSitePage, lockSitePage, type SitePageRow } from '../../../db/sites/site-pages.js';
import { findSite, lockSite, type SiteRow } from '../../../db/sites/sites.js';
import type { EnteredTx, Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** @throws NotFound */
export async function requireSite(tx: EnteredTx, siteId: number): Promise<SiteRow> {
  return existing(await findSite(tx, siteId), 'Site');
}

/** Locks a site, as every change of the number, the slugs and the menu of its pages does. @throws NotFound */
export async function requireSiteForChange(tx: Tx, siteId: number): Promise<SiteRow> {
  return existing(await lockSite(tx, siteId), 'Site');
}

/** @throws NotFound */
export async function requirePage(tx: EnteredTx, siteId: number, pageId: number): Promise<SitePageRow> {
  return existing(await findSitePage(tx, siteId, pageId), 'Page');
}

/** Locks a page, and its site before it. @throws NotFound */
export async function requirePageForChange(
  tx: Tx,
  siteId: number,
  pageId: number,
): Promise<{ site: SiteRow; page: SitePageRow }> {
  const site = await requireSiteForChange(tx, siteId);
  return { site, page: existing(await lockSitePage(tx, siteId, pageId), 'Page') };
}

/** Takes the locks of a change of a page, in their order, within the transaction of `db`. */
export async function lockPageForChange(
  { db, actor }: CommandContext,
  siteId: number,
  pageId: number,
): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    if ((await lockSite(tx, siteId)) !== undefined) await lockSitePage(tx, siteId, pageId);
  });
}

function existing<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new NotFound(what);
  return row;
}
