import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SiteRow } from '../../../../db/sites/sites.js';
import type { Scope } from '../../../../domain/kernel/scopes.js';
import { AddressPolicy } from '../../../../providers/webhook/address-policy.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addSite } from '../../../support/sites/add-site.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

const hosts: Record<string, string> = { 'www.clinic.example': '93.184.216.34', 'inside.example': '10.0.0.7' };
const crawledAddresses = new AddressPolicy({
  requireHttps: false,
  allowedNetworks: [],
  resolve: async (name) => (hosts[name] === undefined ? [] : [{ address: hosts[name], family: 4 }]),
});
const { api, workspace, otherWorkspace, asAdmin } = useApi({ crawledAddresses });
const source = 'https://www.clinic.example/';

let accessSite: SiteRow;
let site: SiteRow;
beforeAll(async () => {
  accessSite = await addSite(workspace);
  await asAdmin('POST', `/sites/${accessSite.id}/crawl`, { url: source });
  await asAdmin('POST', `/sites/${accessSite.id}/crawl/cancel`);
  await asAdmin('PUT', `/sites/${accessSite.id}/crawl/schedule`, { interval: 'daily' });
});
beforeEach(async () => {
  site = await addSite(workspace);
});

const start = (body: object = {}, of = site) => asAdmin('POST', `/sites/${of.id}/crawl`, body);
const cancel = (of = site) => asAdmin('POST', `/sites/${of.id}/crawl/cancel`);
const stored = async (of = site) => (await asAdmin('GET', `/sites/${of.id}`)).body;

describeAccess(
  { api, workspace, otherWorkspace },
  ['cancel', 'list', 'get the schedule', 'set the schedule', 'end the schedule'],
  () => [
    {
      method: 'POST',
      path: `/sites/${accessSite.id}/crawl/cancel`,
      scope: 'sites:write' as Scope,
      needsPermission: true,
      namesItem: true,
    },
    {
      method: 'GET',
      path: `/sites/${accessSite.id}/crawl/urls`,
      scope: 'sites:read' as Scope,
      needsPermission: true,
      namesItem: true,
    },
    {
      method: 'GET',
      path: `/sites/${accessSite.id}/crawl/schedule`,
      scope: 'sites:read' as Scope,
      needsPermission: true,
      namesItem: true,
    },
    {
      method: 'PUT',
      path: `/sites/${accessSite.id}/crawl/schedule`,
      body: { interval: 'daily' },
      scope: 'sites:write' as Scope,
      needsPermission: true,
      namesItem: true,
    },
    {
      method: 'DELETE',
      path: `/sites/${accessSite.id}/crawl/schedule`,
      scope: 'sites:write' as Scope,
      needsPermission: true,
      namesItem: true,
    },
  ],
);

describe('starting a crawl', () => {
  it('takes what the site says, and what is given becomes what the site says', async () => {
    await asAdmin('PUT', `/sites/${site.id}`, {
      crawlUrl: source,
      crawlLimit: 7,
      crawlExcludedTags: ['SECTION', 'aside'],
    });
    const started = await start({ limit: 9 });
    expect(started.status).toBe(202);
    expect(started.body).toMatchObject({
      crawl: true,
      crawlUrl: source,
      crawlLimit: 9,
      crawlExcludedTags: ['aside', 'section'],
      crawlCompleted: 0,
      crawlPrevious: null,
      crawlJobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      crawlError: null,
    });
    expect(await stored()).toEqual(started.body);
    const urls = (await asAdmin('GET', `/sites/${site.id}/crawl/urls`)).body;
    expect(urls).toMatchObject({
      total: 1,
      items: [{ url: source, state: 'queued', outcome: null, attempts: 0 }],
    });
    await cancel();
  });

  it('begins one crawl, however often it is asked for at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => start({ url: source })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(7).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('crawl_under_way');
    await cancel();
  });

  it('begins three in a workspace at once, whichever others have', async () => {
    const busy = await createWorkspace(workspace.database);
    const inBusy = (path: string, body?: object) =>
      api.request('POST', `/w/${busy.workspaceUuid}${path}`, {
        apiKey: busy.admin.apiKey,
        ...(body === undefined ? {} : { body }),
      });
    const sites = await Promise.all(Array.from({ length: 5 }, () => addSite(busy)));
    const answers = await Promise.all(sites.map(({ id }) => inBusy(`/sites/${id}/crawl`, { url: source })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('too_many_crawls');
    const running = sites.filter((_, at) => answers[at]?.status === 202);
    await inBusy(`/sites/${running[0]?.id}/crawl/cancel`);
    const refused = sites.find((_, at) => answers[at]?.status === 409);
    expect((await inBusy(`/sites/${refused?.id}/crawl`, { url: source })).status).toBe(202);
    expect((await start({ url: source })).status).toBe(202);
    await cancel();
  });

  it.each([
    ['no address, of a site without one', {}, '/url'],
    ['an address that is none', { url: 'clinic.example' }, '/url'],
    ['another scheme', { url: 'ftp://www.clinic.example/' }, '/url'],
    ['a password', { url: 'https://a:b@www.clinic.example/' }, '/url'],
    ['an address of this machine', { url: 'http://127.0.0.1:8080/' }, '/url'],
    ['an address of the cloud', { url: 'http://169.254.169.254/latest' }, '/url'],
    ['a name that leads inside', { url: 'https://inside.example/' }, '/url'],
    ['more pages than a site has', { url: source, limit: 1_001 }, '/limit'],
    ['no page', { url: source, limit: 0 }, '/limit'],
    ['an element that is none', { url: source, excludedTags: ['a b'] }, '/excludedTags/0'],
    ['too many elements', { url: source, excludedTags: Array(21).fill('a') }, '/excludedTags'],
    ['a field that is unknown', { url: source, publish: true }, '/publish'],
  ])('refuses %s', async (_, body, pointer) => {
    const { status, body: problem } = await start(body);
    expect([status, pointersOf(problem)]).toEqual([400, [pointer]]);
    expect((await stored()).crawl).toBe(false);
  });

  it('needs the permission to change sites', async () => {
    const asMember = await api.request('POST', `/w/${workspace.workspaceUuid}/sites/${site.id}/crawl`, {
      apiKey: workspace.member.apiKey,
      body: { url: source },
    });
    expect(asMember.status).toBe(403);
    const foreign: TestWorkspace = otherWorkspace;
    const asOther = await api.request('POST', `/w/${foreign.workspaceUuid}/sites/${site.id}/crawl`, {
      apiKey: foreign.admin.apiKey,
      body: { url: source },
    });
    expect(asOther.status).toBe(404);
  });
});

describe('the settings of crawls', () => {
  it('are those of the next crawl: one under way keeps its own', async () => {
    await start({ url: source, limit: 5 });
    await asAdmin('PUT', `/sites/${site.id}`, {
      crawlLimit: 50,
      crawlUrl: 'https://www.clinic.example/other',
    });
    expect(await stored()).toMatchObject({ crawl: true, crawlLimit: 50 });
    const { items } = (await asAdmin('GET', `/sites/${site.id}/crawl/urls`)).body;
    expect(items.map(({ url }: { url: string }) => url)).toEqual([source]);
    await cancel();
  });

  it('are checked', async () => {
    const answer = await asAdmin('PUT', `/sites/${site.id}`, { crawlUrl: 'javascript:alert(1)' });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/crawlUrl']]);
    expect((await asAdmin('PUT', `/sites/${site.id}`, { crawlLimit: 5_000 })).status).toBe(400);
  });
});

describe('cancelling a crawl', () => {
  it('ends it, and does nothing a second time', async () => {
    await start({ url: source });
    const cancelled = await cancel();
    expect(cancelled.body).toMatchObject({ crawl: false, crawlError: 'cancelled', crawlCompletedAt: null });
    expect((await cancel()).body.crawlFailedAt).toBe(cancelled.body.crawlFailedAt);
    const { items } = (await asAdmin('GET', `/sites/${site.id}/crawl/urls`)).body;
    expect(items).toMatchObject([{ state: 'done', outcome: 'not_read' }]);
    const fromThen = (await start({ url: source })).body;
    expect(fromThen).toMatchObject({ crawl: true, crawlError: null, crawlFailedAt: null, crawlPrevious: 0 });
    await cancel();
  });

  it('is no crawl where there was none', async () => {
    expect((await cancel()).body).toMatchObject({ crawl: false, crawlError: null });
    expect((await asAdmin('GET', `/sites/${site.id}/crawl/urls`)).status).toBe(404);
  });
});

describe('the schedule of the crawls of a site', () => {
  const path = () => `/sites/${site.id}/crawl/schedule`;
  const set = (body: object) => asAdmin('PUT', path(), body);

  it('is off until it is set, and begins nothing at once', async () => {
    expect((await asAdmin('GET', path())).status).toBe(404);
    await asAdmin('PUT', `/sites/${site.id}`, { crawlUrl: source });
    const before = Date.now();
    const { status, body } = await set({ interval: 'weekly' });
    expect([status, body]).toEqual([
      200,
      {
        interval: 'weekly',
        nextAt: expect.any(String),
        setByMemberId: workspace.admin.memberId,
        lastStartedAt: null,
        lastSkippedAt: null,
        skipReason: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect(Math.abs(Date.parse(body.nextAt) - before - 7 * 86_400_000)).toBeLessThan(0.06 * 7 * 86_400_000);
    expect((await asAdmin('GET', path())).body).toEqual(body);
    expect((await stored()).crawl).toBe(false);
  });

  it('stays due when it was if it is set again, and not with another interval', async () => {
    await asAdmin('PUT', `/sites/${site.id}`, { crawlUrl: source });
    const first = (await set({ interval: 'weekly' })).body;
    expect((await set({ interval: 'weekly' })).body).toMatchObject({
      nextAt: first.nextAt,
      createdAt: first.createdAt,
    });
    const daily = (await set({ interval: 'daily' })).body;
    expect(Date.parse(daily.nextAt)).toBeLessThan(Date.parse(first.nextAt));
  });

  it('ends, once and again', async () => {
    await asAdmin('PUT', `/sites/${site.id}`, { crawlUrl: source });
    await set({ interval: 'daily' });
    expect((await asAdmin('DELETE', path())).status).toBe(204);
    expect((await asAdmin('DELETE', path())).status).toBe(204);
    expect((await asAdmin('GET', path())).status).toBe(404);
  });

  it.each([
    ['an interval that is none', { interval: 'hourly' }, '/interval'],
    ['no interval', {}, '/interval'],
    ['a field that is unknown', { interval: 'daily', hour: 3 }, '/hour'],
  ])('refuses %s', async (_, body, pointer) => {
    await asAdmin('PUT', `/sites/${site.id}`, { crawlUrl: source });
    const { status, body: problem } = await set(body);
    expect([status, pointersOf(problem)]).toEqual([400, [pointer]]);
  });

  it('needs an address to crawl', async () => {
    const { status, body: problem } = await set({ interval: 'daily' });
    expect([status, pointersOf(problem)]).toEqual([400, ['/interval']]);
  });
});
