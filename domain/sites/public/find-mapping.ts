import { createHash } from 'node:crypto';
import { findSite } from '../../../db/sites/sites.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { NotFound, TooManyRequests } from '../../lib/errors.js';
import { canonicalDomain } from '../domains/domain-name.js';

const limit = { most: 60, withinMs: 60_000 };

/** Where a domain leads that is proved, compared exactly. @throws NotFound, TooManyRequests */
export async function findMapping(
  context: AccountContext,
  text: string,
): Promise<{ workspaceUuid: string; siteUuid: string }> {
  const { db } = context;
  await takeTurn(context);
  const domain = canonicalDomain(text);
  const found = domain === undefined ? undefined : await db.identity.siteDomains.siteOf(domain);
  if (found === undefined) throw new NotFound('Domain');
  const site = await db.readInWorkspace(found.workspaceId, (tx) => findSite(tx, found.siteId));
  if (site === undefined) throw new NotFound('Domain');
  return { workspaceUuid: found.workspaceUuid, siteUuid: site.uuid };
}

/** An account cannot find out by lists of domains who is here. */
async function takeTurn({ db, clock, account }: AccountContext): Promise<void> {
  const now = clock.now();
  const key = createHash('sha256').update(`site mappings of account ${account.id}`).digest();
  const again = await db.inIdentity((tx) => db.identity.loginLimits.take(key, limit, now, tx));
  if (again === undefined) return;
  const seconds = Math.max(1, Math.ceil((again.getTime() - now.getTime()) / 1_000));
  throw new TooManyRequests('The account has asked for as many domains as allowed.', seconds);
}
