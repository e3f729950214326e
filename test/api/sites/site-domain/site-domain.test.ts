import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { recheckDomains } from '../../../../domain/sites/domains/recheck-domains.js';
import { checkedEveryMs, lapsesAfterMs } from '../../../../domain/sites/domains/record-check.js';
import { DnsTexts } from '../../../../providers/dns/dns-texts.js';
import { type RunningDns, startDnsServer } from '../../../../tools/simulators/dns/start-dns-server.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { addMember, randomTag, type TestMember, uniqueEmail } from '../../../support/workspace/factories.js';
import { stranger } from '../../../support/workspace/organizations.js';
import { ask } from '../../../tools/simulators/simulator-client.js';

const clock = new MovedClock();
let dns: RunningDns;
beforeAll(async () => {
  dns = await startDnsServer({ port: 0 });
});
afterAll(() => dns.close());
const records = {
  textsOf: (name: string) =>
    new DnsTexts({ servers: [dns.server], patienceMs: 1_000, deadlineMs: 3_000 }).textsOf(name),
};
const { api, workspace, otherWorkspace, as, asAdmin } = useApi({
  clock,
  domainRecords: records,
});
afterEach(() => ask(dns.url, 'DELETE', '/knobs'));

const domainOf = () =>
  `www.d${randomTag()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}.example`;
const siteOf = async (call = asAdmin): Promise<number> =>
  (await call('POST', '/sites', { name: `Site ${randomTag()}`, isPublic: true })).body.id;
const tell = async (name: string, ...texts: string[]) =>
  expect((await ask(dns.url, 'PUT', `/records/${name}`, { texts })).status).toBe(204);
const forget = (name: string) => ask(dns.url, 'DELETE', `/records/${name}`);

interface Claimed {
  id: number;
  path: string;
  domain: string;
  recordName: string;
  recordValue: string;
}
async function claimed(domain = domainOf(), call = asAdmin): Promise<Claimed> {
  const id = await siteOf(call);
  const path = `/sites/${id}/domain`;
  const { status, body } = await call('PUT', path, { domain });
  expect(status).toBe(200);
  return { id, path, domain, recordName: body.recordName, recordValue: body.recordValue };
}
async function verify({ path }: Claimed, call = asAdmin) {
  clock.advance(minutes(1));
  return call('POST', `${path}/verify`);
}
async function mapped(domain?: string, call = asAdmin): Promise<Claimed> {
  const claim = await claimed(domain, call);
  await tell(claim.recordName, claim.recordValue);
  expect((await verify(claim, call)).body).toMatchObject({ isMapped: true, failure: null, expiresAt: null });
  return claim;
}
const recheck = () =>
  recheckDomains(
    { db: workspace.database, clock, records },
    { isOver: () => false, onFailure: (_, error) => Promise.reject(error) },
  );
async function mappingOf(domain: string) {
  const { browser } = await stranger(api, workspace);
  return browser.request('GET', `/s/mapping/${encodeURIComponent(domain)}`);
}
const asOther: typeof asAdmin = (...call) => as(otherWorkspace.admin, otherWorkspace)(...call);

/** An admin with a proved address. */
let told: TestMember;
beforeAll(async () => {
  const email = uniqueEmail();
  told = await addMember(workspace, { role: workspace.roles.admin, values: { email } });
  const verified = { email, emailVerifiedAt: clock.now() };
  await workspace.database.identity.accounts.update(told.accountId, verified);
});

describe('the domain of a site', () => {
  it('maps after its proof, and is then the address of the site', async () => {
    const claim = await claimed();
    expect(claim.recordName).toBe(`_wes-challenge.${claim.domain}`);
    const { body: unproved } = await asAdmin('GET', claim.path);
    expect(Date.parse(unproved.expiresAt) - Date.parse(unproved.createdAt)).toBe(30 * 24 * 3_600_000);
    expect((await asAdmin('GET', `/sites/${claim.id}`)).body).toMatchObject({
      customDomain: claim.domain,
      isMapped: false,
    });
    expect((await verify(claim)).body).toMatchObject({ isMapped: false, failure: 'record_missing' });
    expect((await mappingOf(claim.domain)).status).toBe(404);

    await tell(claim.recordName, 'v=spf1 -all', 'wes-site=of-somebody-else');
    expect((await verify(claim)).body).toMatchObject({ isMapped: false, failure: 'record_differs' });
    await tell(claim.recordName, 'v=spf1 -all', claim.recordValue);
    expect((await verify(claim)).body).toMatchObject({ isMapped: true, failure: null });

    const { body: site } = await asAdmin('GET', `/sites/${claim.id}`);
    expect(site).toMatchObject({ isMapped: true, url: `https://${claim.domain}` });
    expect((await mappingOf(claim.domain.toUpperCase())).body).toEqual({
      workspaceUuid: workspace.workspaceUuid,
      siteUuid: site.uuid,
    });
    for (const other of [
      `x.${claim.domain}`,
      claim.domain.replace('www.', ''),
      '%',
      claim.domain.slice(0, -1),
    ]) {
      expect((await mappingOf(other)).status).toBe(404);
    }
  });

  it('is written in punycode, whatever it is entered as', async () => {
    const tag = randomTag()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '');
    const claim = await mapped(`BÜCHER-${tag}.Example.`);
    const { body } = await asAdmin('GET', claim.path);
    expect(body.domain).toMatch(/^xn--bcher-.*\.example$/);
    expect((await mappingOf(`bücher-${tag}.example`)).status).toBe(200);
  });

  it.each([
    ['an address', '192.0.2.1'],
    ['an address of IPv6', '[2001:db8::1]'],
    ['an address as a number', '0x7f.1'],
    ['one label', 'localhost'],
    ['a public suffix', 'co.uk'],
    ['a suffix that a company lets to strangers', 'github.io'],
    ['an address with a scheme', 'https://www.clinic.example'],
    ['a path', 'www.clinic.example/x'],
    ['a port', 'www.clinic.example:8080'],
    ['a wildcard', '*.clinic.example'],
    ['an underscore', '_dmarc.clinic.example'],
    ['a label that is too long', `${'a'.repeat(64)}.example`],
  ])('is never %s', async (_, domain) => {
    const answer = await asAdmin('PUT', `/sites/${await siteOf()}/domain`, { domain });
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual(['/domain']);
  });

  it('is claimed by one site of a workspace', async () => {
    const { domain } = await claimed();
    const answer = await asAdmin('PUT', `/sites/${await siteOf()}/domain`, { domain });
    expect(answer).toMatchObject({ status: 409, body: { code: 'domain_claimed' } });
  });

  it('of two workspaces that claim it, maps to the one that proves it', async () => {
    const mine = await claimed();
    const theirs = await claimed(mine.domain, asOther);
    expect(theirs.recordValue).not.toBe(mine.recordValue);
    await tell(theirs.recordName, theirs.recordValue);
    expect((await verify(mine)).body).toMatchObject({ isMapped: false, failure: 'record_differs' });
    expect((await verify(theirs, asOther)).body).toMatchObject({ isMapped: true });

    // Both records stand: who has proved it first keeps it.
    await tell(theirs.recordName, theirs.recordValue, mine.recordValue);
    expect(await verify(mine)).toMatchObject({ status: 409, body: { code: 'domain_taken' } });
    expect((await mappingOf(mine.domain)).body.workspaceUuid).toBe(otherWorkspace.workspaceUuid);

    // The domain has been sold: the proof of before is gone, and lapses at once.
    await tell(mine.recordName, mine.recordValue);
    expect((await verify(mine)).body).toMatchObject({ isMapped: true });
    expect((await mappingOf(mine.domain)).body.workspaceUuid).toBe(workspace.workspaceUuid);
    expect((await asOther('GET', theirs.path)).body).toMatchObject({
      isMapped: false,
      lapsedAt: expect.any(String),
    });
  });

  it('maps once, when two workspaces prove it at the same time', async () => {
    const mine = await claimed();
    const theirs = await claimed(mine.domain, asOther);
    await tell(mine.recordName, mine.recordValue, theirs.recordValue);
    clock.advance(minutes(1));
    const answers = await Promise.all([
      asAdmin('POST', `${mine.path}/verify`),
      asOther('POST', `${theirs.path}/verify`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await mappingOf(mine.domain)).status).toBe(200);
  });

  it('is looked at once in ten seconds, however often it is asked for', async () => {
    const claim = await claimed();
    clock.advance(minutes(1));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => asAdmin('POST', `${claim.path}/verify`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
    const { names } = (await ask<{ names: string[] }>(dns.url, 'GET', '/queries')).body;
    expect(names.filter((name) => name === claim.recordName)).toHaveLength(1);
  });

  it('is not proved by a DNS server that is silent or fails, and nothing waits for it for long', async () => {
    const claim = await claimed();
    await tell(claim.recordName, claim.recordValue);
    for (const answer of ['silence', 'failure']) {
      await ask(dns.url, 'POST', '/knobs', { answer });
      expect((await verify(claim)).body).toMatchObject({ isMapped: false, failure: 'dns_unavailable' });
    }
  });

  it('is given back with another one, by deletion, and with its site', async () => {
    const claim = await mapped();
    const next = await asAdmin('PUT', claim.path, { domain: domainOf() });
    expect(next.body).toMatchObject({ isMapped: false, provedAt: null });
    expect(next.body.recordValue).not.toBe(claim.recordValue);
    expect((await mappingOf(claim.domain)).status).toBe(404);
    expect((await asAdmin('DELETE', claim.path)).status).toBe(204);
    expect((await asAdmin('GET', claim.path)).status).toBe(404);

    const last = await mapped();
    expect((await asAdmin('DELETE', `/sites/${last.id}`)).status).toBe(204);
    expect((await mappingOf(last.domain)).status).toBe(404);
  });
});

describe('the proof of a mapped domain', () => {
  it('is looked up every day, and the domain lapses after three days without it', async () => {
    const claim = await mapped();
    const kept = await mapped();
    clock.advance(checkedEveryMs + minutes(1));
    await forget(claim.recordName);
    expect(await recheck()).toMatchObject({ failing: 1, lapsed: 0, failed: 0 });
    const failing = await asAdmin('GET', claim.path);
    expect(failing.body).toMatchObject({
      isMapped: true,
      failure: 'record_missing',
      failingSince: expect.any(String),
    });
    // Nothing is due: a second pass asks for nothing.
    expect(await recheck()).toEqual({ kept: 0, failing: 0, lapsed: 0, failed: 0 });

    clock.advance(lapsesAfterMs.record_missing);
    expect(await recheck()).toMatchObject({ lapsed: 1 });
    expect((await asAdmin('GET', claim.path)).body).toMatchObject({
      isMapped: false,
      failure: 'record_missing',
      lapsedAt: clock.now().toISOString(),
    });
    expect((await mappingOf(claim.domain)).status).toBe(404);
    expect((await mappingOf(kept.domain)).status).toBe(200);

    await workspace.within(async (tx) => {
      const notices = await tx('event_rule_notices')
        .where({ site_id: claim.id })
        .select('reason', 'member_id');
      expect(notices).toEqual(
        expect.arrayContaining([
          { reason: 'site_domain_failing', member_id: told.memberId },
          { reason: 'site_domain_lapsed', member_id: told.memberId },
        ]),
      );
    });
    const { body } = await asAdmin('GET', '/audit-events', undefined, { pageSize: 100 });
    expect(body.items).toContainEqual(
      expect.objectContaining({
        action: 'site_domain:lapsed',
        subjectId: claim.id,
        names: ['record_missing'],
      }),
    );

    await tell(claim.recordName, claim.recordValue);
    expect((await verify(claim)).body).toMatchObject({ isMapped: true, lapsedAt: null });
  });

  it('that is back in time ends the failing', async () => {
    const claim = await mapped();
    await forget(claim.recordName);
    clock.advance(checkedEveryMs + minutes(1));
    await recheck();
    await tell(claim.recordName, claim.recordValue);
    clock.advance(checkedEveryMs);
    await recheck();
    expect((await asAdmin('GET', claim.path)).body).toMatchObject({
      isMapped: true,
      failure: null,
      failingSince: null,
    });
    clock.advance(lapsesAfterMs.record_missing);
    await recheck();
    expect((await asAdmin('GET', claim.path)).body.isMapped).toBe(true);
  });

  it('does not lapse within days in which no DNS server answers', async () => {
    const claim = await mapped();
    clock.advance(checkedEveryMs + minutes(1));
    await ask(dns.url, 'POST', '/knobs', { answer: 'failure' });
    await recheck();
    clock.advance(lapsesAfterMs.record_missing);
    await recheck();
    expect((await asAdmin('GET', claim.path)).body).toMatchObject({
      isMapped: true,
      failure: 'dns_unavailable',
    });
    clock.advance(lapsesAfterMs.dns_unavailable);
    await recheck();
    expect((await asAdmin('GET', claim.path)).body).toMatchObject({ isMapped: false });
  });

  it('that is slow to come holds up no other', async () => {
    const slow = await mapped();
    const quick = await mapped();
    await forget(quick.recordName);
    clock.advance(checkedEveryMs + minutes(1));
    await ask(dns.url, 'POST', '/knobs', { answer: 'silence', names: [slow.recordName] });
    const began = Date.now();
    await recheck();
    expect(Date.now() - began).toBeLessThan(10_000);
    expect((await asAdmin('GET', quick.path)).body.failure).toBe('record_missing');
    expect((await asAdmin('GET', slow.path)).body).toMatchObject({
      isMapped: true,
      failure: 'dns_unavailable',
    });
  });
});

describe('the mapping of a domain', () => {
  it('needs the scope of an API key', async () => {
    const { domain } = await mapped();
    const statusFor = async (scope: 'sites:read' | 'chats:read') => {
      const { apiKey } = await addMember(workspace, { scopes: [scope] });
      return (await api.request('GET', `/s/mapping/${domain}`, { apiKey })).status;
    };
    expect(await statusFor('sites:read')).toBe(200);
    expect(await statusFor('chats:read')).toBe(403);
  });

  it('is for people who are signed in, sixty times a minute', async () => {
    const { domain } = await mapped();
    expect((await api.request('GET', `/s/mapping/${domain}`)).status).toBe(401);
    const { browser } = await stranger(api, workspace);
    const asks = (count: number) =>
      Promise.all(Array.from({ length: count }, () => browser.request('GET', `/s/mapping/${domain}`)));
    const statuses = (await asks(65)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    clock.advance(minutes(2));
    expect((await asks(1))[0]?.status).toBe(200);
  });
});
