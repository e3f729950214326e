import type { SiteDomainRow } from '../../../db/identity/models/site-domain.js';
import { randomTag, type TestWorkspace } from '../workspace/factories.js';

export function newDomain(): string {
  const tag = randomTag()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
  return `www.d${tag}.example`;
}

/** A domain that a site claims, as if it were proved, unless `values` says otherwise. */
export async function mapDomain(
  { database, workspaceId }: Pick<TestWorkspace, 'database' | 'workspaceId'>,
  siteId: number,
  values: Partial<Pick<SiteDomainRow, 'provedAt' | 'lapsedAt'>> = {},
  domain = newDomain(),
): Promise<string> {
  const now = new Date();
  await database.inWorkspace(workspaceId, async (tx) => {
    const { siteDomains } = database.identity;
    const claim = { siteId, domain, challenge: randomTag(), createdAt: now, updatedAt: now };
    const { id } = await siteDomains.insert(claim, tx);
    const checkAt = new Date(now.getTime() + 86_400_000);
    await siteDomains.patch(id, { provedAt: now, checkedAt: now, checkAt, ...values }, tx);
  });
  return domain;
}
