import { describe, expect, it } from 'vitest';
import { loginCodeOf } from '../../support/api/login.js';
import { formsOf, PageVisitor, type ShownPage } from '../../support/api/page-visitor.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { days, MovedClock, minutes } from '../../support/lib/moved-clock.js';
import { addMember } from '../../support/workspace/factories.js';

const clock = new MovedClock();
const { api, workspace, signedIn, accountOf, readChats } = useOAuth({ clock });

const secretIn = ({ text }: ShownPage) =>
  /<input class="secret" id="secret"[^>]* value="([^"]*)"/.exec(text)?.[1] ?? '';
const linkTo = ({ text }: ShownPage, end: string) =>
  [...text.matchAll(/ href="([^"]*)"/g)].map(([, path = '']) => path).find((path) => path.endsWith(end)) ??
  '';
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

  it('takes a code as people paste it, with spaces', async () => {
    const person = await addMember(workspace);
    const visitor = new PageVisitor(api);
    const asked = await visitor.get('/sign-in');
    const sent = await visitor.submit(asked, '/sign-in', { address: (await accountOf(person)).email ?? '' });
    expect(sent.text).toMatch(/<input id="code"[^>]* autofocus inputmode="numeric"/);
    const code = await loginCodeOf(api, formsOf(sent.text)[0]?.hidden.uuid ?? '');
    const pasted = `${code.slice(0, 3)} ${code.slice(3)} `;
    expect(await visitor.submit(sent, '/sign-in/code', { code: pasted })).toMatchObject({
      location: '/home',
    });
  });

  it('sends a new code to the same address', async () => {
    const visitor = new PageVisitor(api);
    const asked = await visitor.get('/sign-in?return=/settings/sessions');
    const sent = await visitor.submit(asked, '/sign-in', { address: 'somebody@example.com' });
    const again = await visitor.submit(sent, '/sign-in');
    expect(again.text).toContain('If somebody@example.com is known here');
    expect(formsOf(again.text)[0]?.hidden.return).toBe('/settings/sessions');
  });

  it('speaks the language that the browser asks for', async () => {
    const visitor = new PageVisitor(api, { 'Accept-Language': 'fr, es-MX;q=0.9, en;q=0.5' });
    const page = await visitor.get('/sign-in');
    expect(page.text).toContain('<html lang="es">');
    expect(page.text).toContain('<h1>Iniciar sesión</h1>');
    const wrong = await visitor.submit(page, '/sign-in', { address: 'nobody' });
    expect(wrong.text).toContain('No es un correo electrónico ni un número de teléfono');
    expect(wrong.text).toMatch(/<div class="summary"[^>]* tabindex="-1" autofocus>/);
  });

  it('says what is wrong with an address and with a code, and tells nobody who is known', async () => {
    const visitor = new PageVisitor(api);
    const asked = await visitor.get('/sign-in');
    const wrong = await visitor.submit(asked, '/sign-in', { address: hostile });
    expect(wrong.status).toBe(400);
    expect(wrong.text).not.toContain('<script>');
    expect(wrong.text).toContain('This is no email address and no phone number with its country code.');
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
    expect(right).toMatchObject({ status: 303, location: '/settings' });
    expect(await accountOf(person)).toMatchObject({
      name: hostile,
      locale: 'de-DE',
      timezone: 'Europe/Berlin',
    });
    const saved = await visitor.get('/settings');
    expect(saved.text).not.toContain('<script>');
    expect(saved.text).toContain('<html lang="de">');
    expect(saved.text).toContain('Ihre Änderungen sind gespeichert.');
    expect((await visitor.get('/settings')).text).not.toContain('Ihre Änderungen sind gespeichert.');
  });

  it('change the email by a code that is sent to the new one', async () => {
    const person = await addMember(workspace);
    const visitor = await signedIn(person);
    const asked = await visitor.get(linkTo(await visitor.get('/settings'), '/email'));
    expect(asked.text).toContain('A code is sent to it.');
    expect(asked.text).not.toContain('with its country');
    const wrong = await visitor.submit(asked, '/settings/email', { address: 'nobody' });
    expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining('id="address-error"') });
    const address = `new-${person.memberId}@example.com`;
    const sent = await visitor.submit(asked, '/settings/email', { address });
    const refused = await visitor.submit(sent, '/settings/email/code', { code: '000000' });
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('id="code-error"') });
    expect((await accountOf(person)).email).not.toBe(address);
    const uuid = formsOf(sent.text).find(({ action }) => action.endsWith('/code'))?.hidden.uuid ?? '';
    const code = await loginCodeOf(api, uuid);
    const done = await visitor.follow(await visitor.submit(sent, '/settings/email/code', { code }));
    expect(done.text).toContain('Your address is changed.');
    expect((await accountOf(person)).email).toBe(address);
  });

  it('change no address in a session that is older than an hour, and lead to a new one', async () => {
    const visitor = await signedIn(await addMember(workspace));
    clock.advance(minutes(61));
    const asked = await visitor.get('/settings/phone');
    expect(asked.text).toContain('Write the number with its country: +1 …');
    const refused = await visitor.submit(asked, '/settings/phone', { address: '+15550100123' });
    expect(refused.text).toContain('<a href="/sign-in?return=%2Fsettings%2Fphone">Sign in again</a>');
  });

  it('make an API key that works, is shown once, is rotated and revoked', async () => {
    const visitor = await signedIn(await addMember(workspace, { role: workspace.roles.admin }));
    const asked = await visitor.get('/settings/api-keys/new');
    expect(await visitor.submit(asked, '/settings/api-keys/new', { name: 'Key' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('Choose at least one.'),
    });
    const fields = { name: hostile, scopes: ['chats:read', 'members:read'], expiresAt: '' };
    const made = await visitor.submit(asked, '/settings/api-keys/new', fields);
    const secret = secretIn(made);
    expect(await readChats(secret)).toMatchObject({ status: 200 });
    const list = await visitor.get('/settings/api-keys');
    expect(list.text).not.toContain(secret);
    expect(list.text).not.toContain('<script>');
    const toRotate = linkTo(list, '/rotate');
    const rotated = await visitor.submit(await visitor.get(toRotate), toRotate);
    expect(await readChats(secretIn(rotated))).toMatchObject({ status: 200 });
    const toRevoke = linkTo(await visitor.get('/settings/api-keys'), '/revoke');
    const sure = await visitor.get(toRevoke);
    expect(sure.text).toContain('This cannot be undone.');
    expect(sure.text).toContain('<dt>Last use</dt>');
    expect(sure.text).not.toContain('<script>');
    expect(await readChats(secretIn(rotated))).toMatchObject({ status: 200 });
    const gone = await visitor.follow(await visitor.submit(sure, toRevoke));
    expect(gone.text).toContain('is revoked.</p>');
    expect(gone.text).not.toContain('<script>');
    expect(await readChats(secretIn(rotated))).toMatchObject({ status: 401 });
  });

  it('make an API key that reads all and changes nothing', async () => {
    const visitor = await signedIn(await addMember(workspace, { role: workspace.roles.admin }));
    const asked = await visitor.get('/settings/api-keys/new');
    const made = await visitor.submit(asked, '/settings/api-keys/new', { name: 'Reports', access: 'read' });
    const apiKey = secretIn(made);
    expect(await readChats(apiKey)).toMatchObject({ status: 200 });
    const change = { apiKey, body: { name: 'Other' } };
    expect(await api.request('PUT', workspace.path(''), change)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    const { text } = await visitor.get('/settings/api-keys');
    expect(text).toContain('See members and their details <code>members:read</code>');
  });

  it('say “1 scope” of one', async () => {
    const visitor = await signedIn(await addMember(workspace));
    const asked = await visitor.get('/settings/api-keys/new');
    await visitor.submit(asked, '/settings/api-keys/new', { name: 'Reports', scopes: 'chats:read' });
    expect((await visitor.get('/settings/api-keys')).text).toContain('<summary>1 scope</summary>');
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
    expect(secretIn(made)).toMatch(/^wess_/);
    expect(made.text).toContain('wesc_');
    const list = await visitor.get('/settings/applications');
    expect(list.text).not.toContain('<script>');
    const path = /href="(\/settings\/applications\/[0-9a-f-]{36})"/.exec(list.text)?.[1] ?? '';
    const one = await visitor.get(path);
    expect(one.text).toContain('https://client.example/two');
    const rotated = await visitor.submit(await visitor.get(`${path}/rotate`), `${path}/rotate`);
    expect(rotated.text).toContain('wess_');
    const saved = await visitor.submit(one, path, {
      ...fields,
      name: 'New name',
      redirectUris: 'https://client.example/',
    });
    expect(saved).toMatchObject({ status: 303 });
    expect((await visitor.get(path)).text).toContain('<h1>New name</h1>');
    const sure = await visitor.get(`${path}/delete`);
    expect(sure.text).toContain('All access that people have given the app ends at once');
    expect((await visitor.get(path)).status).toBe(200);
    const gone = await visitor.follow(await visitor.submit(sure, `${path}/delete`));
    expect(gone.text).toContain('“New name” is deleted.');
    expect((await visitor.get(path)).status).toBe(404);
  });

  it('end other sessions', async () => {
    const person = await addMember(workspace);
    const email = (await accountOf(person)).email ?? '';
    const [here, there] = [new PageVisitor(api), new PageVisitor(api)];
    await here.signIn(email);
    await there.signIn(email);
    const page = await here.get('/settings/sessions');
    expect(linkTo(page, '/end')).not.toBe('');
    const sure = await here.get('/settings/sessions/end-others');
    expect(sure.text).toContain('Sessions to end: 1.');
    const done = await here.follow(await here.submit(sure, '/settings/sessions/end-others'));
    expect(done.text).toContain('All other sessions are ended.');
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
