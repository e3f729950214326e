import { beforeAll, describe, expect, it } from 'vitest';
import { cookieOf, openBrowser, signInAs } from '../../../support/api/browser.js';
import { useApi } from '../../../support/api/use-api.js';

const ours = 'https://service.example';
const { api, workspace } = useApi({ publicUrl: `${ours}/below` });
let cookie: string;

beforeAll(async () => {
  const { database, admin } = workspace;
  const browser = await signInAs(database, admin.accountId, openBrowser(api, { Origin: ours }));
  cookie = cookieOf(browser.token ?? '');
});

const refused = { status: 403, body: { code: 'origin_not_allowed' } };

/** Origin headers of a request, and whether a write with the cookie is accepted. */
const matrix: [Record<string, string>, boolean][] = [
  [{ Origin: ours }, true],
  [{ 'Sec-Fetch-Site': 'same-origin' }, true],
  [{ Origin: ours, 'Sec-Fetch-Site': 'same-origin' }, true],
  [{}, false],
  [{ Origin: 'null' }, false],
  [{ Origin: '' }, false],
  [{ Origin: 'https://elsewhere.example' }, false],
  [{ Origin: 'https://service.example.elsewhere.example' }, false],
  [{ Origin: 'https://sub.service.example' }, false],
  [{ Origin: 'http://service.example' }, false],
  [{ Origin: 'https://service.example:8443' }, false],
  [{ Origin: `${ours}/` }, false],
  [{ 'Sec-Fetch-Site': 'same-site' }, false],
  [{ 'Sec-Fetch-Site': 'cross-site' }, false],
  [{ 'Sec-Fetch-Site': 'none' }, false],
  [{ Origin: ours, 'Sec-Fetch-Site': 'cross-site' }, false],
  [{ Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'same-origin' }, false],
  [{ Referer: `${ours}/page` }, false],
];

describe('a write with the session cookie', () => {
  it.each(matrix)('with headers %j is accepted: %s', async (headers, allowed) => {
    const all = { ...headers, Cookie: cookie };
    const writes = [
      await api.request('POST', '/account', { headers: all, body: {} }),
      await api.request('PUT', workspace.path(''), { headers: all, body: {} }),
      await api.request('DELETE', '/sessions/00000000-0000-4000-8000-000000000000', { headers: all }),
    ];
    if (allowed) expect(writes.map(({ status }) => status)).toEqual([200, 200, 404]);
    else for (const write of writes) expect(write).toMatchObject(refused);
  });

  it('is rejected for a foreign origin on every route, including sign-out', async () => {
    const headers = { Cookie: cookie, Origin: 'https://elsewhere.example' };
    expect(await api.request('DELETE', '/sessions/current', { headers })).toMatchObject(refused);
    const answer = await api.request('GET', '/account', { headers: { Cookie: cookie } });
    expect(answer).toMatchObject({ body: { loggedIn: true } });
  });

  it('is authenticated by the key if a key is sent too', async () => {
    const headers = { Cookie: cookie, Origin: 'https://elsewhere.example' };
    const { apiKey } = workspace.admin;
    const answer = await api.request('POST', '/account', { headers, apiKey, body: {} });
    expect(answer).toMatchObject({ status: 200 });
  });
});

describe('a read with the session cookie', () => {
  it('is answered for any origin, but readable only by the service’s own pages', async () => {
    const headers = { Cookie: cookie, Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
    const answer = await api.request('GET', workspace.path(''), { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect(answer.headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
  });
});

describe('the origin check of signing in', () => {
  const body = { loginCodeUuid: '00000000-0000-4000-8000-000000000000', code: '123456' };
  const answerTo = (headers: Record<string, string>) => api.request('POST', '/sessions', { headers, body });

  it('rejects foreign pages, which could sign a browser in to another account', async () => {
    expect(await answerTo({ Origin: 'https://elsewhere.example' })).toMatchObject(refused);
    expect(await answerTo({ 'Sec-Fetch-Site': 'cross-site' })).toMatchObject(refused);
    const ask = { headers: { Origin: 'https://elsewhere.example' }, body: { email: 'a@example.com' } };
    expect(await api.request('POST', '/login-codes', ask)).toMatchObject(refused);
  });

  it('accepts clients that send no Origin header', async () => {
    expect(await answerTo({})).toMatchObject({ status: 401, body: { code: 'login_refused' } });
    expect(await answerTo({ Origin: ours })).toMatchObject({ status: 401 });
  });
});
