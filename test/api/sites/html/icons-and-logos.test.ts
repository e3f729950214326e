import { beforeAll, describe, expect, it } from 'vitest';
import type { SiteRow } from '../../../../db/sites/sites.js';
import type { TestBrowser } from '../../../support/api/browser.js';
import { useApi } from '../../../support/api/use-api.js';
import { addPublishedPage } from '../../../support/sites/add-published-page.js';
import { addSite } from '../../../support/sites/add-site.js';
import { askSite, type SiteAsking } from '../../../support/sites/ask-site.js';
import { mapDomain } from '../../../support/sites/map-domain.js';
import { randomTag } from '../../../support/workspace/factories.js';
import { addOrganization, personOf } from '../../../support/workspace/organizations.js';

const { api, workspace, otherWorkspace, asAdmin } = useApi();

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ask = (of: SiteRow, path: string, asking: SiteAsking = {}) =>
  askSite(api.baseUrl, `/s/${of.uuid}${path}`, asking);
const atDomain = (domain: string, path: string) => askSite(api.baseUrl, path, { headers: { Host: domain } });

async function addPicture(values: Record<string, string>, filename = 'favicon.png', place = workspace) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ access: 'workspace', ...values })) form.append(name, value);
  form.append('file', new Blob([onePixel], { type: 'image/png' }), filename);
  const { status, body } = await api.request('POST', place.path('/files'), {
    apiKey: place.admin.apiKey,
    multipart: form,
  });
  expect(status).toBe(201);
  return body as { id: number };
}
const addFolder = async () =>
  (await asAdmin('POST', '/folders', { name: `Folder ${randomTag()}` })).body.id as number;

describe('the icon of a site', () => {
  it('is the first letter of its name in the colours of its theme, unless it has one', async () => {
    const site = await addSite(workspace, {
      name: '» östlich <script>',
      themeSettings: { light: { primary: '#123456', onPrimary: '#fedcba' } },
    });
    const page = await ask(site, '');
    expect(page.text).toContain(`<link rel="icon" href="/s/${site.uuid}/favicon.ico">`);
    const { status, headers, text } = await ask(site, '/favicon.ico');
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(headers['content-security-policy']).toContain("default-src 'none'; sandbox");
    expect(text).toContain('fill="#123456"');
    expect(text).toContain('fill="#fedcba">Ö</text>');
    const again = await ask(site, '/favicon.ico', { headers: { 'If-None-Match': headers.etag ?? '' } });
    expect(again.status).toBe(304);
  });

  it.each([
    ['of signs alone', '✚ – !', ''],
    ['that begins with a letter of two parts', 'e\u0301cole', 'É'],
    ['in another script', 'клиника', 'К'],
    ['with a number', '24 hours', '2'],
  ])('has no markup of a name %s', async (_, name, letter) => {
    const site = await addSite(workspace, { name });
    expect((await ask(site, '/favicon.ico')).text).toMatch(new RegExp(`>${letter}</text></svg>\n$`));
  });

  it('is the newest picture of that name in the folder of its assets', async () => {
    const folder = await addFolder();
    const site = await addSite(workspace, { assetsFolderId: folder });
    await addPicture({ folderId: String(folder) });
    const newest = await addPicture({ folderId: String(folder) });
    await addPicture({ folderId: String(folder) }, 'other.png');
    const { status, headers } = await ask(site, '/favicon.ico');
    const place = `/api/v2/s/${workspace.workspaceUuid}/${site.uuid}/files/${newest.id}/contents/favicon.png`;
    expect({ status, ...headers }).toMatchObject({
      status: 302,
      location: place,
      'cache-control': 'public, max-age=3600',
    });
    const picture = await fetch(`${api.baseUrl}${place}`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('is no private file, no other kind of file, and none of another folder', async () => {
    const folder = await addFolder();
    const site = await addSite(workspace, { assetsFolderId: folder });
    await addPicture({ folderId: String(folder), access: 'private' });
    await addPicture({ folderId: String(await addFolder()) });
    await addPicture({});
    expect((await ask(site, '/favicon.ico')).status).toBe(200);
  });

  it('comes from the service at a domain, where browsers look for it by themselves', async () => {
    const folder = await addFolder();
    const site = await addSite(workspace, { name: 'North', assetsFolderId: folder });
    const domain = await mapDomain(workspace, site.id);
    expect((await atDomain(domain, '/')).text).toContain('<link rel="icon" href="/favicon.ico">');
    expect((await atDomain(domain, '/favicon.ico')).text).toContain('>N</text>');
    await addPicture({ folderId: String(folder) });
    const { headers } = await atDomain(domain, '/favicon.ico');
    expect(headers.location).toMatch(new RegExp(`^${api.baseUrl}/api/v2/s/.*/contents/favicon.png$`));
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('is as private as its site', async () => {
    const site = await addSite(workspace, { isPublic: false });
    expect((await ask(site, '/favicon.ico')).status).toBe(404);
  });
});

describe('the logo of the organization', () => {
  let browser: TestBrowser;
  let organization: { uuid: string; path: (rest: string) => string };
  beforeAll(async () => {
    ({ browser } = await personOf(api, workspace, workspace.admin));
    organization = await addOrganization({ browser });
    await put(workspace.path('/organization'), { organizationUuid: organization.uuid });
  });
  async function put(path: string, body: object) {
    expect((await browser.request('PUT', path, { body })).status).toBe(200);
  }
  const setLogo = async (fileId: number | undefined) =>
    put(organization.path(''), {
      logo: fileId === undefined ? null : { workspaceUuid: workspace.workspaceUuid, fileId },
    });

  it('stands beside the name of the site, in pages and in AMP, from the moment it is set until it is not', async () => {
    const site = await addSite(workspace);
    const page = await addPublishedPage(asAdmin, site.id);
    const domain = await mapDomain(workspace, site.id);
    const before = await ask(site, `/${page.slug}`);
    expect(before.text).not.toContain('class="logo"');
    const { id } = await addPicture({ access: 'public' }, 'logo.png');
    await setLogo(id);
    const address = `/api/v2/w/${workspace.workspaceUuid}/sharing/files/${id}/contents/logo`;
    const after = await ask(site, `/${page.slug}`, {
      headers: { 'If-None-Match': before.headers.etag ?? '' },
    });
    expect(after.status).toBe(200);
    expect(after.text).toContain(`<img class="logo" src="${address}" alt="" height="40">${site.name}</a>`);
    expect((await atDomain(domain, `/${page.slug}?amp=1`)).text).toContain(
      `<amp-img class="logo contain" src="${api.baseUrl}${address}"`,
    );
    const there = await atDomain(domain, `/${page.slug}`);
    expect(there.text).toContain(`src="${api.baseUrl}${address}"`);
    expect(there.headers['content-security-policy']).toContain(`img-src 'self' https: ${api.baseUrl}`);
    const picture = await fetch(`${api.baseUrl}${address}`);
    expect([picture.status, picture.headers.get('cross-origin-resource-policy')]).toEqual([
      200,
      'cross-origin',
    ]);
    await setLogo(undefined);
    expect((await ask(site, `/${page.slug}`)).text).toBe(before.text);
  });

  it('is left out where the site does not want it', async () => {
    await setLogo((await addPicture({ access: 'public' }, 'logo.png')).id);
    const site = await addSite(workspace, { themeSettings: { showLogo: false } });
    expect((await ask(site, '')).text).not.toContain('class="logo"');
  });

  it('is on no site of a workspace that is in no organization, or has left it', async () => {
    await setLogo((await addPicture({ access: 'public' }, 'logo.png')).id);
    const foreign = await addSite(otherWorkspace);
    expect((await ask(foreign, '')).text).not.toContain('class="logo"');
    const site = await addSite(workspace);
    expect((await ask(site, '')).text).toContain('class="logo"');
    expect((await browser.request('DELETE', workspace.path('/organization'))).status).toBe(204);
    expect((await ask(site, '')).text).not.toContain('class="logo"');
  });
});
