import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/use-api.js';
import { type AddStoredFile, addStoredFile } from '../../../support/files/add-stored-file.js';
import { MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { scratchStorage } from '../../../support/storage/scratch-storage.js';
import { randomTag } from '../../../support/workspace/factories.js';

const { storage, remove } = scratchStorage();
afterAll(remove);
const clock = new MovedClock();
const logged: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
const { api, workspace, otherWorkspace, asAdmin, asMember } = useApi({ storage, clock, logger });

const addFile = (values: AddStoredFile = {}) => addStoredFile(workspace, storage, values);
const addFolder = async (values: object = {}) =>
  (await asAdmin('POST', '/folders', { name: `Folder ${randomTag()}`, ...values })).body.id as number;
const addSite = async (values: object = {}) =>
  (await asAdmin('POST', '/sites', { name: `Site ${randomTag()}`, ...values })).body;
const giveTo = (file: { id: number }, siteId: number | null, call = asAdmin) =>
  call('PUT', `/files/${file.id}`, { siteId });
type Named = { id: number; uuid: string };
const visit = (site: Named, file: { id: number }, token?: string, apiKey?: string) =>
  api.request('GET', `/s/${workspace.workspaceUuid}/${site.uuid}/files/${file.id}/contents/any`, {
    apiKey,
    query: { token },
  });
const addressOf = (site: Named, file: { id: number }) =>
  asAdmin('POST', `/sites/${site.id}/files/${file.id}/address`);

let site: Named;
let file: { id: number };
beforeAll(async () => {
  site = await addSite();
  file = await addFile();
  await giveTo(file, site.id);
});
describe('a file of a site', () => {
  it('is read by those who read the site, whatever its access', async () => {
    const open = await addSite({ isPublic: true });
    const own = await addFile({ access: 'private' });
    expect((await visit(open, own)).status).toBe(404);
    expect((await giveTo(own, open.id)).body.siteId).toBe(open.id);
    expect((await visit(open, own)).status).toBe(200);
    expect((await visit(site, own)).status).toBe(404);
    await asAdmin('PUT', `/sites/${open.id}`, { isPublic: false });
    expect((await visit(open, own)).status).toBe(404);
    expect((await visit(open, own, undefined, workspace.member.apiKey)).status).toBe(200);
    expect((await visit(open, own, undefined, otherWorkspace.admin.apiKey)).status).toBe(404);
    await giveTo(own, null);
    expect((await visit(open, own, undefined, workspace.member.apiKey)).status).toBe(404);
  });

  it('is given to a site by those who change sites only, and to a site of the workspace', async () => {
    const own = await addFile({ owner: workspace.member });
    expect((await giveTo(own, site.id, asMember)).status).toBe(403);
    expect((await giveTo(own, 999_999_999)).body.errors).toMatchObject([{ pointer: '/siteId' }]);
    expect((await giveTo(own, site.id)).status).toBe(200);
  });

  it('may lie in the folder of its assets or below it, unless it is private', async () => {
    const assetsFolderId = await addFolder();
    const below = await addFolder({ parentFolderId: assetsFolderId });
    const beside = await addFolder();
    const open = await addSite({ isPublic: true, assetsFolderId });
    const statuses = [];
    for (const [folderId, access] of [
      [assetsFolderId, 'workspace'],
      [below, 'workspace'],
      [below, 'private'],
      [beside, 'workspace'],
    ] as const) {
      statuses.push((await visit(open, await addFile({ folderId, access }))).status);
    }
    expect(statuses).toEqual([200, 200, 404, 404]);
  });

  it('is served in ranges, with a tag, and without its scripts being run', async () => {
    const open = await addSite({ isPublic: true });
    const drawing = await addFile({
      filename: 'drawing.svg',
      content: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    });
    await giveTo(drawing, open.id);
    const path = `/s/${workspace.workspaceUuid}/${open.uuid}/files/${drawing.id}/contents/x`;
    const whole = await api.request('GET', path);
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(whole.headers.get('content-security-policy')).toContain("default-src 'none'");
    const tag = whole.headers.get('etag') ?? '';
    expect((await api.request('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304);
    const part = await api.request('GET', path, { headers: { range: 'bytes=0-3' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      expect.stringMatching(/^bytes 0-3\//),
    ]);
  });
});

describe('the token of a file of a site', () => {
  it('shows one version of it to anyone, for a quarter of an hour', async () => {
    const { status, body } = await addressOf(site, file);
    expect(status).toBe(200);
    expect(body.url.endsWith(`?token=${body.token}`)).toBe(true);
    expect((await visit(site, file)).status).toBe(404);
    expect((await visit(site, file, body.token)).status).toBe(200);
    clock.advance(minutes(14));
    expect((await visit(site, file, body.token)).status).toBe(200);
    clock.advance(minutes(10));
    expect(await visit(site, file, body.token)).toMatchObject({
      status: 403,
      body: { code: 'address_expired' },
    });
  });

  it('is good for nothing else', async () => {
    const { token } = (await addressOf(site, file)).body;
    const other = await addFile();
    await giveTo(other, site.id);
    const copy = await addSite();
    expect((await visit(site, other, token)).status).toBe(404);
    expect((await visit(copy, file, token)).status).toBe(404);
    const [version, expires, signature] = token.split('.');
    for (const forged of [
      `${Number(version) + 1}.${expires}.${signature}`,
      `${version}.${Number(expires) + 3_600}.${signature}`,
      `${version}.${expires}.${'A'.repeat(43)}`,
      `${version}.${expires}.`,
      'x',
    ]) {
      expect((await visit(site, file, forged)).status).toBe(404);
    }
  });

  it('ends when the file is taken from the site', async () => {
    const own = await addFile();
    await giveTo(own, site.id);
    const { token } = (await addressOf(site, own)).body;
    expect((await visit(site, own, token)).status).toBe(200);
    await giveTo(own, null);
    expect((await visit(site, own, token)).status).toBe(404);
  });

  it('is in no line of the log', async () => {
    const { token } = (await addressOf(site, file)).body;
    await visit(site, file, token);
    await visit(site, file, `${token}x`);
    const signature = token.split('.')[2];
    expect(logged.some((line) => line.includes('readSiteFile'))).toBe(true);
    expect(logged.filter((line) => line.includes(signature))).toEqual([]);
  });
});
