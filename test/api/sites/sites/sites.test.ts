import { describe, expect, it } from 'vitest';
import { maxSites } from '../../../../domain/sites/sites/site-values.js';
import { themes } from '../../../../domain/sites/themes/themes.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember, addRole, createWorkspace, randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, asAdmin, asMember } = useApi();
const nameOf = () => `Site ${randomTag()}`;
const create = (body: object = {}) => asAdmin('POST', '/sites', { name: nameOf(), ...body });
const idOf = async (body: object = {}) => (await create(body)).body.id as number;

describe('a site', () => {
  it('has all that the specification names, and is not public unless it says so', async () => {
    const created = await create({ name: 'Open day' });
    const { id } = created.body;
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      name: 'Open day',
      slug: 'open-day',
      theme: 'default',
      content: null,
      authorized: true,
      tagLine: null,
      metaDescription: null,
      customDomain: null,
      redirectUrl: null,
      allowSignup: false,
      isMapped: false,
      isPublic: false,
      isReseller: false,
      workspaceUuid: workspace.workspaceUuid,
      url: `${api.baseUrl}/s/${created.body.uuid}`,
      defaultUrl: `${api.baseUrl}/s/${created.body.uuid}`,
      ownerId: workspace.admin.memberId,
      permissions: 15,
      pageCount: 0,
      primaryLocale: 'en-US',
      availableLocales: ['en-US'],
      themeSettings: {},
      resolvedThemeSettings: themes.default.defaults,
      organizationLogoUrl: null,
      crawl: false,
      crawlExcludedTags: [],
      crawlUrl: null,
    });
    expect((await asAdmin('GET', `/sites/${id}`)).body).toEqual(created.body);
    expect((await asMember('GET', `/sites/${id}`)).body).toMatchObject({ permissions: 1, authorized: true });
  });

  it('keeps what a change does not name, and an earlier copy does not overwrite a later one', async () => {
    const id = await idOf({ tagLine: 'Before', metaDescription: 'Kept' });
    const read = await asAdmin('GET', `/sites/${id}`);
    const etag = read.headers.get('etag') ?? '';
    const put = (tagLine: string, ifMatch: string) =>
      api.request('PUT', workspace.path(`/sites/${id}`), {
        apiKey: workspace.admin.apiKey,
        headers: { 'if-match': ifMatch },
        body: { tagLine },
      });
    expect(await put('First', etag)).toMatchObject({
      status: 200,
      body: { tagLine: 'First', metaDescription: 'Kept' },
    });
    expect((await put('Second', etag)).status).toBe(412);
    expect((await asAdmin('GET', `/sites/${id}`)).body.tagLine).toBe('First');
  });

  it.each([
    ['a blank name', { name: ' ' }, '/name'],
    ['another theme', { theme: 'acme' }, '/theme'],
    ['a setting that is none', { themeSettings: { css: 'body{}' } }, '/themeSettings/css'],
    [
      'markup as a colour',
      { themeSettings: { light: { text: '</style><script>' } } },
      '/themeSettings/light/text',
    ],
    ['a colour with a url', { themeSettings: { dark: { link: 'url(//x)' } } }, '/themeSettings/dark/link'],
    ['a redirect to a script', { redirectUrl: 'javascript:alert(1)' }, '/redirectUrl'],
    ['a redirect without https', { redirectUrl: 'http://clinic.example' }, '/redirectUrl'],
    ['a redirect with a password', { redirectUrl: 'https://a:b@clinic.example' }, '/redirectUrl'],
    ['a tag of analytics with markup', { googleAnalyticsId: 'G-"><script>' }, '/googleAnalyticsId'],
    ['a locale that is none', { availableLocales: ['en-US', 'x'] }, '/availableLocales/1'],
    ['a locale twice', { availableLocales: ['en-US', 'en-us'] }, '/availableLocales'],
    [
      'a primary locale that is not available',
      { primaryLocale: 'de', availableLocales: ['en-US'] },
      '/primaryLocale',
    ],
    ['a role of nobody', { signupMemberRoleId: 999_999_999 }, '/signupMemberRoleId'],
    ['a workflow of nobody', { defaultWorkflowId: 999_999_999 }, '/defaultWorkflowId'],
    ['a folder of nobody', { assetsFolderId: 999_999_999 }, '/assetsFolderId'],
    ['an owner of nobody', { ownerId: 999_999_999 }, '/ownerId'],
  ])('is refused with %s, at the field', async (_, body, pointer) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toContain(pointer);
  });

  it('does not give admin roles to those who sign up, nor roles that its author does not cover', async () => {
    const admin = await create({ signupMemberRoleId: workspace.roles.admin.id });
    expect(admin.body.errors).toMatchObject([{ pointer: '/signupMemberRoleId' }]);
    const reader = await addRole(workspace, { permissions: ['members:read'] });
    const editor = await addRole(workspace, { permissions: ['sites:write', 'sites:read'] });
    const { apiKey } = await addMember(workspace, { role: editor, scopes: ['sites:write', 'sites:read'] });
    const call = (body: object) => api.request('POST', workspace.path('/sites'), { apiKey, body });
    expect((await call({ name: nameOf(), signupMemberRoleId: reader.id })).status).toBe(403);
    expect((await call({ name: nameOf() })).status).toBe(201);
    const given = await create({ signupMemberRoleId: reader.id });
    expect(given.body.signupMemberRoleName).toBe(reader.name);
    expect(await asAdmin('DELETE', `/member-roles/${reader.id}`)).toMatchObject({
      status: 409,
      body: { code: 'role_in_use', detail: expect.stringContaining('site') },
    });
  });

  it('resolves the settings of its theme group by group', async () => {
    const { body } = await create({
      theme: 'patient-engagement-demo',
      themeSettings: { baseSize: 20, light: { link: '#123456' }, print: { showMenu: true } },
    });
    const { defaults } = themes['patient-engagement-demo'];
    expect(body.themeSettings).toEqual({
      baseSize: 20,
      light: { link: '#123456' },
      print: { showMenu: true },
    });
    expect(body.resolvedThemeSettings).toEqual({
      ...defaults,
      baseSize: 20,
      light: { ...defaults.light, link: '#123456' },
      print: { ...defaults.print, showMenu: true },
    });
  });

  it('has a slug of its own in the workspace', async () => {
    const slug = `s-${randomTag()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')}`;
    const id = await idOf({ slug });
    expect(await create({ slug })).toMatchObject({ status: 400, body: { code: 'duplicate' } });
    const other = await idOf();
    expect((await asAdmin('PUT', `/sites/${other}`, { slug })).status).toBe(400);
    expect((await asAdmin('PUT', `/sites/${id}`, { slug })).status).toBe(200);
  });

  it('is copied with its settings, not public and without its domain', async () => {
    const original = await create({ isPublic: true, tagLine: 'Copied', themeSettings: { baseSize: 20 } });
    const copy = await asAdmin('POST', `/sites/${original.body.id}/duplicate`, { name: nameOf() });
    expect(copy.status).toBe(201);
    expect(copy.body).toMatchObject({
      isPublic: false,
      tagLine: 'Copied',
      themeSettings: { baseSize: 20 },
      customDomain: null,
    });
    expect(copy.body.uuid).not.toBe(original.body.uuid);
  });

  it('is gone once it is deleted, and its acts are in the audit log', async () => {
    const id = await idOf();
    await asAdmin('PUT', `/sites/${id}`, { isPublic: true });
    expect((await asAdmin('DELETE', `/sites/${id}`)).status).toBe(204);
    expect((await asAdmin('GET', `/sites/${id}`)).status).toBe(404);
    const { body } = await asAdmin('GET', '/audit-events', undefined, { pageSize: 100 });
    const acts = body.items.filter(
      ({ subjectType, subjectId }: { subjectType: string; subjectId: number }) =>
        subjectType === 'site' && subjectId === id,
    );
    expect(acts.map(({ action }: { action: string }) => action).sort()).toEqual([
      'site:created',
      'site:deleted',
      'site:updated',
    ]);
  });

  it('is named by chats that were begun on it, until it is deleted', async () => {
    const id = await idOf({ isPublic: true });
    const chat = await asMember('POST', '/chats', { channel: 'web-chat', siteId: id });
    expect(chat).toMatchObject({ status: 201, body: { siteId: id } });
    await asAdmin('DELETE', `/sites/${id}`);
    expect((await asMember('GET', `/chats/${chat.body.id}`)).body.siteId).toBe(null);
  });

  it('that is not public is named by chats of colleagues only', async () => {
    const siteId = await idOf();
    const begin = (call: typeof asMember) => call('POST', '/chats', { channel: 'web-chat', siteId });
    const refused = await begin(asMember);
    expect([refused.status, pointersOf(refused.body)]).toEqual([400, ['/siteId']]);
    expect(await begin(asAdmin)).toMatchObject({ status: 201, body: { siteId } });
  });

  it('is one of a hundred at most, however many are created at once', async () => {
    const place = await createWorkspace(workspace.database);
    const add = (name: string) =>
      api.request('POST', place.path('/sites'), { apiKey: place.admin.apiKey, body: { name } });
    for (let count = 0; count < maxSites - 1; count += 1) expect((await add(`s ${count}`)).status).toBe(201);
    const last = await Promise.all(['a', 'b', 'c', 'd'].map((name) => add(`last ${name}`)));
    expect(last.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(last.find(({ status }) => status === 409)?.body.code).toBe('too_many_sites');
  });
});

describe('themes of sites', () => {
  it('are the six of the specification, each with all settings and their schema', async () => {
    const { body } = await asMember('GET', '/sites/themes');
    expect(body.map(({ theme }: { theme: string }) => theme)).toEqual(Object.keys(themes));
    expect(body).toHaveLength(6);
    for (const { defaultSettings, settingsSchema } of body) {
      expect(Object.keys(defaultSettings).sort()).toEqual(Object.keys(settingsSchema.properties).sort());
    }
  });

  /** WCAG 2.2, 1.4.3. */
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one = '', other = '') => {
    const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };

  it.each(Object.entries(themes))('of %s can be read in light and dark', (_, { defaults }) => {
    for (const palette of [defaults.light, defaults.dark]) {
      for (const behind of [palette?.background, palette?.surface]) {
        for (const front of [palette?.text, palette?.muted, palette?.link]) {
          expect(contrast(front, behind)).toBeGreaterThanOrEqual(4.5);
        }
      }
      expect(contrast(palette?.onPrimary, palette?.primary)).toBeGreaterThanOrEqual(4.5);
    }
  });
});
