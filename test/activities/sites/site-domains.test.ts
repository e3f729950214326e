import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import pino from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { siteDomainActivities } from '../../../activities/sites/site-domains.js';
import { claimNotice } from '../../../domain/channels/outreach/claim-notice.js';
import { ruleNotices } from '../../../domain/events/event-rules/rule-notice-kind.js';
import { claimDomain } from '../../../domain/sites/domains/claim-domain.js';
import {
  recordNameOf,
  recordValueOf,
  type TextRecords,
} from '../../../domain/sites/domains/domain-records.js';
import { createSite } from '../../../domain/sites/sites/create-site.js';
import { days, MovedClock } from '../../support/lib/moved-clock.js';
import { addMember, randomTag, type TestMember, uniqueEmail } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
const clock = new MovedClock();
const answers = new Map<string, TextRecords>();
const domainRecords = { textsOf: async (name: string) => answers.get(name) ?? ({ kind: 'none' } as const) };
const logged: string[] = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
const pass = async (): Promise<
  Awaited<ReturnType<ReturnType<typeof siteDomainActivities>['recheckSiteDomains']>>
> =>
  new MockActivityEnvironment().run(
    siteDomainActivities({ db: workspace.database, clock, logger, domainRecords }).recheckSiteDomains,
  );

let told: TestMember;
beforeAll(async () => {
  const email = uniqueEmail();
  told = await addMember(workspace, { role: workspace.roles.admin, values: { email } });
  const verified = { email, emailVerifiedAt: clock.now() };
  await workspace.database.identity.accounts.update(told.accountId, verified);
});

/** A site whose domain is mapped, and due. */
async function mapped(): Promise<{ siteId: number; domain: string }> {
  const context = { ...workspace.context(), clock };
  const site = await createSite(context, { name: `Site ${randomTag()}` });
  const domain = `d${randomTag()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}.example`;
  const claim = await claimDomain(context, site.id, { domain, host: 'service.example' });
  const { siteDomains } = workspace.database.identity;
  const values = { provedAt: clock.now(), checkAt: clock.now() };
  await workspace.within((tx) => siteDomains.patch(claim.id, values, tx));
  answers.set(recordNameOf(domain), { kind: 'found', texts: [recordValueOf(claim.challenge)] });
  return { siteId: site.id, domain };
}

it('looks at all that are due in batches, and one that fails stops no other and is due again', async () => {
  const all = [];
  for (let count = 0; count < 45; count += 1) all.push(await mapped());
  const [broken, gone] = all;
  if (broken === undefined || gone === undefined) throw new Error('there are no domains');
  answers.set(recordNameOf(gone.domain), { kind: 'none' });
  const works = domainRecords.textsOf;
  domainRecords.textsOf = async (name) => {
    if (name === recordNameOf(broken.domain)) throw new Error('the look-up is broken');
    return works(name);
  };
  expect(await pass()).toEqual({ kept: 43, failing: 1, lapsed: 0, failed: 1, ended: 0 });
  expect(logged.filter((line) => line.includes(`"siteId":${broken.siteId}`))).toHaveLength(1);
  expect(logged.join()).not.toContain(broken.domain);
  domainRecords.textsOf = works;

  expect(await pass()).toEqual({ kept: 0, failing: 0, lapsed: 0, failed: 0, ended: 0 });
  clock.advance(3_600_000);
  expect(await pass()).toEqual({ kept: 1, failing: 0, lapsed: 0, failed: 0, ended: 0 });
});

it('tells an admin by mail of a proof that is gone, unless it is back by then', async () => {
  const { siteId, domain } = await mapped();
  answers.set(recordNameOf(domain), { kind: 'none' });
  await pass();
  const { database, workspaceId } = workspace;
  const noticeId = await workspace.within(async (tx) => {
    const [notice] = await tx('event_rule_notices').where({ site_id: siteId, member_id: told.memberId });
    return Number(notice.id);
  });
  const token = randomUUID();
  const claim = () => claimNotice({ db: database, clock }, ruleNotices, { workspaceId, noticeId }, token);
  expect(await claim()).toMatchObject({
    kind: 'claimed',
    notice: { kind: 'site_domain', domain, reason: 'site_domain_failing' },
  });
  const [row] = (await database.identity.siteDomains.ofSites(workspaceId, [siteId])).values();
  answers.set(recordNameOf(domain), { kind: 'found', texts: [recordValueOf(row?.challenge ?? '')] });
  clock.advance(days(1));
  await pass();
  expect(await claim()).toEqual({ kind: 'not_sent', reason: 'out_of_date' });
});

/** A site that claims a domain, and the claim. */
async function claimed(): Promise<{ siteId: number; domain: string; challenge: string }> {
  const context = { ...workspace.context(), clock };
  const site = await createSite(context, { name: `Site ${randomTag()}` });
  const domain = `c${randomTag()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}.example`;
  const { challenge } = await claimDomain(context, site.id, { domain, host: 'service.example' });
  return { siteId: site.id, domain, challenge };
}
const claimOf = async (siteId: number) =>
  (await workspace.database.identity.siteDomains.ofSites(workspace.workspaceId, [siteId])).get(siteId);
const patch = (claim: { id: number }, values: object) =>
  workspace.within((tx) => workspace.database.identity.siteDomains.patch(claim.id, values, tx));

it('ends claims that were not proved within thirty days, and one that fails stops no other', async () => {
  const old = [];
  for (let count = 0; count < 25; count += 1) old.push(await claimed());
  const [proved, broken, ...others] = old;
  if (proved === undefined || broken === undefined) throw new Error('there are no claims');
  const row = await claimOf(proved.siteId);
  await patch(row as { id: number }, {
    provedAt: clock.now(),
    checkAt: new Date(clock.now().getTime() + days(365)),
  });
  clock.advance(days(29));
  const young = await claimed();
  expect((await pass()).ended).toBe(0);
  clock.advance(days(1));
  const { siteDomains } = workspace.database.identity;
  const lock = siteDomains.lock.bind(siteDomains);
  siteDomains.lock = async (siteId, tx) => {
    if (siteId === broken.siteId) throw new Error('the row is broken');
    return lock(siteId, tx);
  };
  try {
    expect((await pass()).ended).toBe(23);
  } finally {
    siteDomains.lock = lock;
  }
  for (const { siteId } of others) expect(await claimOf(siteId)).toBeUndefined();
  for (const { siteId } of [proved, broken, young]) expect(await claimOf(siteId)).toBeDefined();
  expect(logged.filter((line) => line.includes(`"siteId":${broken.siteId}`))).toHaveLength(1);
  expect((await pass()).ended).toBe(1);

  const [one] = others;
  if (one === undefined) throw new Error('there is no claim');
  const again = await claimDomain({ ...workspace.context(), clock }, one.siteId, {
    domain: one.domain,
    host: 'service.example',
  });
  expect(again.challenge).not.toBe(one.challenge);
});

it('ends a claim thirty days after it has lapsed, however old it is', async () => {
  const { siteId, domain } = await mapped();
  answers.set(recordNameOf(domain), { kind: 'none' });
  await pass();
  clock.advance(days(3));
  expect((await pass()).lapsed).toBeGreaterThan(0);
  expect(await claimOf(siteId)).toMatchObject({ provedAt: null });
  clock.advance(days(29));
  await pass();
  expect(await claimOf(siteId)).toBeDefined();
  clock.advance(days(1));
  await pass();
  expect(await claimOf(siteId)).toBeUndefined();
});
