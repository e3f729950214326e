import { describe, expect, it } from 'vitest';
import { useApi } from '../../support/api/use-api.js';

const { api, workspace } = useApi();

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const get = (path: string, accept: string, headers: Record<string, string> = {}) =>
  fetch(api.baseUrl + path, { redirect: 'manual', headers: { Accept: accept, ...headers } });
const typeOf = (answer: Response) => answer.headers.get('Content-Type')?.split(';')[0];

const nobody = '00000000-0000-4000-8000-000000000000';

describe('a browser at an address without a page', () => {
  it.each(['/settings/nope', '/sign-inn', '/api'])('is shown a page, with a way on: %s', async (path) => {
    const answer = await get(path, browser);
    expect([answer.status, typeOf(answer)]).toEqual([404, 'text/html']);
    const text = await answer.text();
    expect(text).toContain('<h1>Page not found</h1>');
    expect(text).toContain('href="/home"');
    expect(answer.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  });

  it('is shown it in its language', async () => {
    const answer = await get('/settings/nope', browser, { 'Accept-Language': 'de' });
    expect(await answer.text()).toContain('<h1>Seite nicht gefunden</h1>');
  });

  it.each(['*/*', 'application/json', 'application/json, text/html', ''])(
    'that is none (%s) gets a problem',
    async (accept) => {
      const answer = await get('/settings/nope', accept);
      expect([answer.status, typeOf(answer)]).toEqual([404, 'application/problem+json']);
      expect(await answer.json()).toMatchObject({ code: 'not_found' });
    },
  );
});

describe('a sign-in that is refused', () => {
  it.each([`/api/v2/o/${nobody}/sso/callback?error=access_denied`, '/api/v2/o/nowhere/sso/start'])(
    'is told on a page, with the way to another one: %s',
    async (path) => {
      const answer = await get(path, browser);
      expect([answer.status >= 400, typeOf(answer)]).toEqual([true, 'text/html']);
      const text = await answer.text();
      expect(text).toContain('<h1>You are not signed in</h1>');
      expect(text).toContain('href="/sign-in/organization"');
    },
  );

  it('is a problem for a program', async () => {
    const answer = await get(`/api/v2/o/${nobody}/sso/callback?error=access_denied`, '*/*');
    expect(typeOf(answer)).toBe('application/problem+json');
  });
});

describe('the API', () => {
  it.each(['/api/v2/nothing', '/api/v2/account/api-keys', '/api/v2/openapi.nothing'])(
    'answers a browser as it answers everybody: %s',
    async (path) => {
      expect(typeOf(await get(path, browser))).toBe('application/problem+json');
    },
  );

  it('answers a browser with a page where it opens a file that is not there', async () => {
    const path = `/api/v2${workspace.path('/sharing/files/987654/contents/old.pdf')}`;
    expect(typeOf(await get(path, browser))).toBe('text/html');
    expect(typeOf(await get(path, '*/*'))).toBe('application/problem+json');
  });
});
