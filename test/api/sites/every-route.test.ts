import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../api/resources/index.js';
import { allScopes } from '../../../domain/kernel/scopes.js';
import { type AccessCase, describeAccess } from '../../support/api/access-cases.js';
import { pointersOf } from '../../support/api/call-as.js';
import { useApi } from '../../support/api/use-api.js';
import { addPublishedPage } from '../../support/sites/add-published-page.js';
import { addSite } from '../../support/sites/add-site.js';
import { addChatSite, visit } from '../../support/sites/site-chat.js';
import { addApiKey, addMember, randomTag } from '../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, asAdmin } = useApi();

let ids: { site: number; page: number; item: number; revision: number; file: number };
beforeAll(async () => {
  const site = (await asAdmin('POST', '/sites', { name: `Site ${randomTag()}` })).body.id;
  const page = (await addPublishedPage(asAdmin, site)).id;
  const revisions = `/sites/${site}/pages/${page}/documents/en-US/revisions`;
  const revision = (await asAdmin('GET', revisions)).body.items[0].id;
  const item = (await asAdmin('POST', `/sites/${site}/menu/items`, { label: 'x', itemType: 'none' })).body.id;
  await asAdmin('PUT', `/sites/${site}/domain`, { domain: `every-route-${Date.now()}.example` });
  const form = new FormData();
  form.append('file', new Blob(['leaflet'], { type: 'text/plain' }), 'leaflet.txt');
  const uploaded = { apiKey: workspace.admin.apiKey, multipart: form };
  const file = (await api.request('POST', workspace.path('/files'), uploaded)).body.id;
  await asAdmin('PUT', `/files/${file}`, { siteId: site });
  ids = { site, page, item, revision, file };
});

/** What the route is called with, and with what it is refused: a body or a query, and where the error is. */
interface RouteCase extends Omit<AccessCase, 'method'> {
  refused: [body: unknown, pointer: string] | string;
}

const reads = { scope: 'sites:read', needsPermission: true, namesItem: true } as const;
const writes = { scope: 'sites:write', needsPermission: true, namesItem: true } as const;
const forMembers = { ...reads, needsPermission: false } as const;
/** Of routes that take an id and nothing else. */
const noNumber = 'the id';

/** Every route of a workspace below its sites, by the id of its operation. */
function cases(): Record<string, RouteCase> {
  const one = `/sites/${ids.site}`;
  const page = `${one}/pages/${ids.page}`;
  const document = `${page}/documents/en-US`;
  const revision = `${document}/revisions/${ids.revision}`;
  const item = `${one}/menu/items/${ids.item}`;
  const tooMany = '?pageSize=101';
  return {
    listSites: { ...forMembers, path: '/sites', namesItem: false, refused: tooMany },
    listThemes: { ...forMembers, path: '/sites/themes', namesItem: false, refused: '?unknown=1' },
    createSite: { ...writes, path: '/sites', body: { name: 'x' }, namesItem: false, refused: [{}, '/name'] },
    getSite: { ...forMembers, path: one, refused: noNumber },
    updateSite: { ...writes, path: one, body: { tagLine: 'x' }, refused: [{ theme: 'x' }, '/theme'] },
    deleteSite: { ...writes, path: one, refused: noNumber },
    duplicateSite: { ...writes, path: `${one}/duplicate`, body: { name: 'x' }, refused: [{}, '/name'] },
    getSiteDomain: { ...reads, path: `${one}/domain`, refused: noNumber },
    claimSiteDomain: {
      ...{ ...writes, path: `${one}/domain`, body: { domain: 'www.clinic.example' } },
      refused: [{ domain: 'com' }, '/domain'],
    },
    verifySiteDomain: { ...writes, path: `${one}/domain/verify`, refused: noNumber },
    releaseSiteDomain: { ...writes, path: `${one}/domain`, refused: noNumber },
    createSiteFileAddress: { ...forMembers, path: `${one}/files/${ids.file}/address`, refused: noNumber },
    listPages: { ...reads, path: `${one}/pages`, refused: tooMany },
    createPage: { ...writes, path: `${one}/pages`, body: { title: 'x' }, refused: [{}, '/title'] },
    getPage: { ...reads, path: page, refused: noNumber },
    updatePage: { ...writes, path: page, body: { title: 'x' }, refused: [{ slug: 'No Slug' }, '/slug'] },
    deletePage: { ...writes, path: page, refused: noNumber },
    publishPage: { ...writes, path: `${page}/publish`, refused: [{ publishAt: 'soon' }, '/publishAt'] },
    unpublishPage: { ...writes, path: `${page}/unpublish`, refused: noNumber },
    listPageDocuments: { ...reads, path: `${page}/documents`, refused: noNumber },
    getPageDocument: { ...reads, path: document, refused: noNumber },
    writePageDocument: {
      ...writes,
      path: document,
      body: { title: 'x' },
      refused: [{ title: '' }, '/title'],
    },
    deletePageDocument: { ...writes, path: document, refused: noNumber },
    listDocumentRevisions: { ...reads, path: `${document}/revisions`, refused: tooMany },
    getDocumentRevision: { ...reads, path: revision, refused: noNumber },
    restoreDocumentRevision: { ...writes, path: `${revision}/restore`, refused: noNumber },
    getMenu: { ...reads, path: `${one}/menu`, refused: noNumber },
    createMenuItem: {
      ...{ ...writes, path: `${one}/menu/items`, body: { label: 'x', itemType: 'none' } },
      refused: [{ label: 'x', itemType: 'x' }, '/itemType'],
    },
    getMenuItem: { ...reads, path: item, refused: noNumber },
    updateMenuItem: { ...writes, path: item, body: { label: 'y' }, refused: [{ position: -1 }, '/position'] },
    deleteMenuItem: { ...writes, path: item, refused: noNumber },
    startCrawl: { ...writes, path: `${one}/crawl`, body: {}, refused: [{ crawlLimit: 0 }, '/crawlLimit'] },
    cancelCrawl: { ...writes, path: `${one}/crawl/cancel`, refused: noNumber },
    listCrawledUrls: { ...reads, path: `${one}/crawl/urls`, refused: tooMany },
    getCrawlSchedule: { ...reads, path: `${one}/crawl/schedule`, refused: noNumber },
    setCrawlSchedule: {
      ...{ ...writes, path: `${one}/crawl/schedule`, body: { interval: 'daily' } },
      refused: [{ interval: 'x' }, '/interval'],
    },
    removeCrawlSchedule: { ...writes, path: `${one}/crawl/schedule`, refused: noNumber },
  };
}

const below = routes.filter(({ path }) => path.startsWith('/w/{workspace_uuid}/sites'));
const names = below.map(({ operationId }) => operationId);
const caseOf = (name: string): RouteCase & { method: string } => {
  const found = cases()[name];
  const route = below.find(({ operationId }) => operationId === name);
  if (found === undefined || route === undefined) throw new Error(`there is no case of ${name}`);
  return { ...found, method: route.method };
};

it('every route below the sites of a workspace has a case here', () => {
  expect(Object.keys(cases()).sort()).toEqual([...names].sort());
});

describeAccess({ api, workspace, otherWorkspace }, names, () => names.map(caseOf));

describe('what is sent to a route of sites', () => {
  it.each(names)('is refused with its place where it is wrong: %s', async (name) => {
    const { method, path, refused } = caseOf(name);
    if (typeof refused !== 'string') {
      const [body, pointer] = refused;
      const answer = await asAdmin(method, path, body);
      expect([answer.status, pointersOf(answer.body)]).toEqual([400, [pointer]]);
      return;
    }
    const wrong = refused === noNumber ? path.replace(/^\/sites\/\d+/, '/sites/x') : path + refused;
    const answer = await asAdmin(method, wrong);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(pointersOf(answer.body)).toHaveLength(1);
  });
});

/** Every route that people call who may be no members. */
const readersRoutes = ['readMenu', 'readPage', 'readSite', 'readSiteFile'];
const visitorsRoutes = [
  ...['endSiteVisit', 'followVisitorChat', 'listVisitorMessages', 'rateVisitorMessage'],
  ...['signalVisitorTyping', 'uploadVisitorFile', 'readVisitorFile', 'writeVisitorMessage'],
];
/** Their five kinds of test are in `public-sites`, `site-domain` and `visitors`. */
const others = ['beginSiteVisit', 'getSiteChat', 'getSiteMapping', 'signUpToSite'];

it('every public route of sites has a case here, or is named as one that has tests of its own', () => {
  const open = routes.filter(({ path }) => path.startsWith('/s/')).map(({ operationId }) => operationId);
  expect([...open].sort()).toEqual([...readersRoutes, ...visitorsRoutes, ...others].sort());
});

describe.each(readersRoutes)('%s, of a site', (name) => {
  let sites: Record<'open' | 'closed', { uuid: string; rest: string }>;
  beforeAll(async () => {
    const [open, closed] = [await place(true), await place(false)];
    sites = { open, closed };
  });
  async function place(isPublic: boolean) {
    const site = await addSite(workspace, { isPublic });
    const page = await addPublishedPage(asAdmin, site.id);
    const form = new FormData();
    form.append('file', new Blob(['leaflet'], { type: 'text/plain' }), 'leaflet.txt');
    const uploaded = { apiKey: workspace.admin.apiKey, multipart: form };
    const file = (await api.request('POST', workspace.path('/files'), uploaded)).body.id;
    await asAdmin('PUT', `/files/${file}`, { siteId: site.id });
    const rest: Record<string, string> = {
      readMenu: '/menu',
      readPage: `/pages/${page.id}`,
      readSite: '',
      readSiteFile: `/files/${file}/contents/leaflet.txt`,
    };
    return { uuid: site.uuid, rest: rest[name] ?? '' };
  }
  const read = ({ uuid, rest }: { uuid: string; rest: string }, apiKey?: string, of = workspace) =>
    api.request('GET', `/s/${of.workspaceUuid}/${uuid}${rest}`, { apiKey });

  it('is answered to anybody where it is public, and to members in any case', async () => {
    const { member } = workspace;
    expect((await read(sites.open)).status).toBe(200);
    expect((await read(sites.open, otherWorkspace.admin.apiKey)).status).toBe(200);
    expect((await read(sites.closed, member.apiKey)).status).toBe(200);
  });

  it('is refused where it is wrong', async () => {
    const answer = await read({ ...sites.open, uuid: 'x' });
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
  });

  it('is not found without credentials where it is not public, and a wrong credential is told', async () => {
    expect(await read(sites.closed)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await read(sites.open, 'sk_wrong')).toMatchObject({ status: 401 });
  });

  it('is refused to a credential of a member that lacks the scope, which is named', async () => {
    const scopes = allScopes.filter((one) => one !== 'sites:read');
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });
    const body = { code: 'insufficient_scope', detail: expect.stringContaining('sites:read') };
    for (const one of [sites.open, sites.closed])
      expect(await read(one, apiKey)).toMatchObject({ status: 403, body });
  });

  it('is not found by members of another workspace where it is not public, nor below their own', async () => {
    const { apiKey } = otherWorkspace.admin;
    expect((await read(sites.closed, apiKey)).status).toBe(404);
    for (const one of [sites.open, sites.closed])
      expect((await read(one, apiKey, otherWorkspace)).status).toBe(404);
  });
});

describe.each(visitorsRoutes)('%s, of a visitor', (name) => {
  const route = routes.find(({ operationId }) => operationId === name);
  if (route === undefined) throw new Error(`there is no route ${name}`);
  let path: string;
  let foreign: { token: string };
  let foreignPath: string;
  beforeAll(async () => {
    const [site, elsewhere] = [await addChatSite(api, workspace), await addChatSite(api, otherWorkspace)];
    const pathAt = (uuid: string, of = workspace) =>
      route.path
        .replace('{workspace_uuid}', of.workspaceUuid)
        .replace('{site_uuid}', uuid)
        .replace('{message_uuid}', '00000000-0000-4000-8000-000000000000')
        .replace('{file_id}', '1');
    path = pathAt(site.uuid);
    foreignPath = pathAt(elsewhere.uuid, otherWorkspace);
    foreign = await visit(api, { path: `/s/${otherWorkspace.workspaceUuid}/${elsewhere.uuid}` });
  });
  const body = {
    endSiteVisit: undefined,
    rateVisitorMessage: { rating: 1 },
    writeVisitorMessage: { text: 'x' },
  }[name];
  const call = (apiKey?: string, to = path) => api.request(route.method, to, { apiKey, body });

  it('is refused without a token, to members, and to visitors of other sites and workspaces', async () => {
    const { apiKey } = await addMember(workspace, { scopes: allScopes });
    const answers = [];
    for (const one of [undefined, apiKey, workspace.admin.apiKey, foreign.token])
      answers.push(await call(one));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect((await call(apiKey, foreignPath)).status).toBe(401);
  });
});
