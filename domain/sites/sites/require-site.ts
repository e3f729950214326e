import { findSite, lockSite, type SiteRow } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** @throws NotFound */
export async function requireSite(tx: Tx, id: number): Promise<SiteRow> {
  return existing(await findSite(tx, id));
}

/** `requireSite`, and locks the site. @throws NotFound */
export async function requireLockedSite(tx: Tx, id: number): Promise<SiteRow> {
  return existing(await lockSite(tx, id));
}

/** Takes the lock of a change of a site, within the transaction of `db`. */
export async function lockSiteForChange({ db, actor }: CommandContext, id: number): Promise<void> {
  await db.inWorkspace(actor.workspaceId, (tx) => lockSite(tx, id));
}

function existing(site: SiteRow | undefined): SiteRow {
  if (site === undefined) throw new NotFound('Site');
  return site;
}
