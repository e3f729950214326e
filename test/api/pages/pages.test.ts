import { describe, expect, it } from 'vitest';
import { formsOf, PageVisitor, type ShownPage } from '../../support/api/page-visitor.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { days, MovedClock } from '../../support/lib/moved-clock.js';
import { addMember } from '../../support/workspace/factories.js';

const clock = new MovedClock();
const { api, workspace, signedIn, accountOf, readChats } = useOAuth({ clock });

const secretIn = ({ text }: ShownPage) => /<code class="secret">(wes[^<]*)<\/code>/.exec(text)?.[1] ?? '';
const actionOf = (page: ShownPage, end: string) =>
  formsOf(page.text).find(({ action }) => action.endsWith(end))?.action ?? '';
const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`;

describe('signing in', () => {
  it('asks for an address, then for the code, and goes on to where the person wanted to go', async () => {
    const person = await addMember(workspace);
    const visitor = new PageVisitor(api);
    const sent = await visitor.get('/settings/sessions');
    expect(sent).toMatchObject({ status: 303, location: '/sign-in?return=%2Fsettings%2Fsessions' });
    const end = await visitor.signIn((await accountOf(person)).email ?? '', '/settings/sessions');
    expect(end).toMatchObject({ status: 303, location: '/settings/sessions' });
    expect((await visitor.follow(end)).text).toContain('this session');
  });

  it('says what is wrong with an address and with a code, and tells nobody who is known', async () => {
    const visitor = new PageVisitor(api);
    const asked = await visitor.get('/sign-in');
    const wrong = await visitor.submit(asked, '/sign-in', { address: hostile });
    expect(wrong.status).toBe(400);
    expect(wrong.text).not.toContain('<script>');
    const unknown = await visitor.submit(asked, '/sign-in', { address: 'nobody@example.com' });
    expect(unknown).toMatchObject({
      status: 200,
      text: expect.stringContaining('If nobody@example.com is known here'),
    });
    const refused = await visitor.submit(unknown, '/sign-in/code', { code: '000000' });
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('aria-invalid="true"') });
    expect(refused.headers.getSetCookie()).toEqual([]);
  });

  it('ends with the session', async () => {
    const person = await addMember(workspace);
    const visitor = new PageVisitor(api);
    await visitor.signIn((await accountOf(person)).email ?? '');
    const page = await visitor.get('/settings');
    expect(await visitor.submit(page, '/sign-out')).toMatchObject({ status: 303, location: '/sign-in' });
    expect(visitor.cookie('__Host-wes_session')).toBeUndefined();
    expect((await visitor.get('/settings')).status).toBe(303);
  });
});

describe('the settings', () => {
  it('change the account, and say beside the field what is wrong', async () => {
    const person = await addMember(workspace);
    const visitor = await signedIn(person);
    const page = await visitor.get('/settings');
    const values = { name: hostile, avatarUrl: '', locale: 'de-DE', timezone: 'Nowhere/Town' };
    const wrong = await visitor.submit(page, '/settings', values);
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('id="timezone-error"');
    expect(wrong.text).not.toContain('<script>');
    const right = await visitor.submit(page, '/settings', { ...values, timezone: 'Europe/Berlin' });
    expect(right).toMatchObject({ status: 303, location: '/settings?saved' });
    expect(await accountOf(person)).toMatchObject({
      name: hostile,
      locale: 'de-DE',
      timezone: 'Europe/Berlin',
    });
    expect((await visitor.get('/settings')).text).not.toContain('<script>');
  });

  it('make an API key that works, is shown once, is rotated and revoked', async () => {
    const visitor = await signedIn(await addMember(workspace, { role: workspace.roles.admin }));
    const asked = await visitor.get('/settings/api-keys/new');
    expect(await visitor.submit(asked, '/settings/api-keys/new', { name: 'Key' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('at least one scope'),
    });
    const fields = { name: hostile, scopes: ['chats:read', 'members:read'], expiresAt: '' };
    const made = await visitor.submit(asked, '/settings/api-keys/new', fields);
    const secret = secretIn(made);
    expect(await readChats(secret)).toMatchObject({ status: 200 });
    const list = await visitor.get('/settings/api-keys');
    expect(list.text).not.toContain(secret);
    expect(list.text).not.toContain('<script>');
    const rotated = await visitor.submit(list, actionOf(list, '/rotate'));
    expect(await readChats(secretIn(rotated))).toMatchObject({ status: 200 });
    const after = await visitor.get('/settings/api-keys');
    for (const { action } of formsOf(after.text)) {
      if (action.endsWith('/revoke')) await visitor.submit(after, action);
    }
    expect(await readChats(secretIn(rotated))).toMatchObject({ status: 401 });
  });

  it('make an app, rotate its secret and delete it', async () => {
    const visitor = await signedIn();
    const asked = await visitor.get('/settings/applications/new');
    const fields = {
      name: hostile,
      serverUrl: '',
      redirectUris: 'http://client.example/',
      scopes: ['chats:read'],
      kind: 'confidential',
    };
    const wrong = await visitor.submit(asked, '/settings/applications/new', fields);
    expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining('redirectUris-error') });
    const made = await visitor.submit(asked, '/settings/applications/new', {
      ...fields,
      redirectUris: 'https://client.example/\nhttps://client.example/two',
    });
    expect(secretIn(made)).toMatch(/^wesc_/);
    expect(made.text).toContain('wess_');
    const list = await visitor.get('/settings/applications');
    expect(list.text).not.toContain('<script>');
    const path = /href="(\/settings\/applications\/[0-9a-f-]{36})"/.exec(list.text)?.[1] ?? '';
    const one = await visitor.get(path);
    expect(one.text).toContain('https://client.example/two');
    const rotated = await visitor.submit(one, `${path}/rotate`);
    expect(rotated.text).toContain('wess_');
    const saved = await visitor.submit(one, path, {
      ...fields,
      name: 'New name',
      redirectUris: 'https://client.example/',
    });
    expect(saved).toMatchObject({ status: 303 });
    expect((await visitor.get(path)).text).toContain('<h1>New name</h1>');
    await visitor.submit(one, `${path}/delete`);
    expect((await visitor.get(path)).status).toBe(404);
  });

  it('end other sessions', async () => {
    const person = await addMember(workspace);
    const email = (await accountOf(person)).email ?? '';
    const [here, there] = [new PageVisitor(api), new PageVisitor(api)];
    await here.signIn(email);
    await there.signIn(email);
    const page = await here.get('/settings/sessions');
    await here.submit(page, '/settings/sessions/end-others');
    expect((await there.get('/settings')).status).toBe(303);
    expect((await here.get('/settings')).status).toBe(200);
  });

  it('are not shown to another person, nor changed by it', async () => {
    const visitor = await signedIn();
    const asked = await visitor.get('/settings/applications/new');
    await visitor.submit(asked, '/settings/applications/new', {
      name: 'Mine',
      serverUrl: '',
      redirectUris: 'https://client.example/',
      scopes: ['chats:read'],
      kind: 'public',
    });
    const list = await visitor.get('/settings/applications');
    const path = /href="(\/settings\/applications\/[0-9a-f-]{36})"/.exec(list.text)?.[1] ?? '';
    const stranger = await signedIn(await addMember(workspace));
    expect((await stranger.get(path)).status).toBe(404);
    const own = await stranger.get('/settings');
    const { formToken = '' } = formsOf(own.text)[0]?.hidden ?? {};
    expect((await stranger.post(`${path}/delete`, { formToken })).status).toBe(404);
  });

  it.each([
    '/settings',
    '/settings/api-keys/new',
    '/settings/applications/new',
    '/settings/sessions/end-others',
    '/sign-out',
  ])('refuse a form at %s that another page has made', async (path) => {
    const visitor = await signedIn();
    expect((await visitor.post(path, { formToken: 'x' })).status).toBe(403);
    const { formToken = '' } = formsOf((await visitor.get('/settings')).text)[0]?.hidden ?? {};
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await visitor.post(path, { formToken }, foreign)).status).toBe(403);
    expect(
      (await visitor.post(path, { formToken }, { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' })).status,
    ).toBe(403);
  });

  it('know nobody by a key, and nobody by a member’s session', async () => {
    const visitor = new PageVisitor(api);
    const { apiKey = '' } = workspace.admin;
    expect((await visitor.get('/settings', { Authorization: `Bearer ${apiKey}` })).status).toBe(303);
  });

  it('are answered with a policy that runs nothing and may be framed by nobody', async () => {
    const visitor = await signedIn();
    for (const path of [
      '/settings',
      '/settings/api-keys',
      '/settings/applications',
      '/settings/connections',
      '/settings/sessions',
    ]) {
      const { headers } = await visitor.get(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('ask a person to sign in again whose session has ended', async () => {
    const visitor = await signedIn(await addMember(workspace));
    clock.advance(days(91));
    expect((await visitor.get('/settings')).status).toBe(303);
  });
});
