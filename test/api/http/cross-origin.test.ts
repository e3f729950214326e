import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.js';
import { cookieOf, openBrowser, signInAs } from '../../support/api/browser.js';
import { useApi } from '../../support/api/use-api.js';
import { addMember, type TestWorkspace } from '../../support/workspace/factories.js';

const ours = 'https://service.example';
const page = 'https://app.example';
const otherPage = 'https://other.example';
const missing = '/w/00000000-0000-4000-8000-000000000000';

const { api, workspace, otherWorkspace: other } = useApi({ publicUrl: ours });

beforeAll(async () => {
  await allow(workspace, [page]);
  await allow(other, [otherPage]);
});

async function allow(place: TestWorkspace, allowedOrigins: string[]): Promise<void> {
  const { apiKey } = place.admin;
  const answer = await api.request('PUT', place.path(''), { apiKey, body: { allowedOrigins } });
  expect(answer).toMatchObject({ status: 200, body: { allowedOrigins } });
}

/** The headers of a browser’s request from a page of this origin. */
const from = (origin: string) => {
  return { Origin: origin, 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'cross-site' };
};

const corsOf = ({ headers }: { headers: Headers }) => ({
  origin: headers.get('Access-Control-Allow-Origin'),
  credentials: headers.get('Access-Control-Allow-Credentials'),
  resourcePolicy: headers.get('Cross-Origin-Resource-Policy'),
  vary: headers.get('Vary'),
});
const unreadable = { origin: null, credentials: null, resourcePolicy: 'same-origin', vary: 'Origin' };
const readable = (origin: string) => ({ ...unreadable, origin, resourcePolicy: 'cross-origin' });

const asAdmin = (method: string, path: string, origin: string | undefined, body?: object) => {
  const { apiKey } = workspace.admin;
  return api.request(method, path, { apiKey, headers: origin === undefined ? {} : from(origin), body });
};

describe('a cross-origin request with a token', () => {
  it('is allowed for an origin that the workspace lists', async () => {
    const answer = await asAdmin('GET', workspace.path('/chats'), page);

    expect(answer.status).toBe(200);
    expect(corsOf(answer)).toEqual(readable(page));
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('X-Request-Id');
  });

  it.each(['https://elsewhere.example', otherPage, `${page}:8443`, 'http://app.example', 'null'])(
    'is rejected for a page of %s',
    async (origin) => {
      const answer = await asAdmin('PUT', workspace.path(''), origin, { name: 'Changed' });

      expect(answer).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } });
      expect(corsOf(answer)).toEqual(unreadable);
      const { body } = await asAdmin('GET', workspace.path(''), undefined);
      expect(body.name).not.toBe('Changed');
    },
  );

  it('needs no allowed origin for the service’s own pages and for clients other than browsers', async () => {
    const { apiKey } = workspace.admin;
    for (const headers of [from(ours), { Origin: 'https://elsewhere.example' }, {}]) {
      const answer = await api.request('GET', workspace.path(''), { apiKey, headers });
      expect(answer.status).toBe(200);
      expect(corsOf(answer)).toEqual(unreadable);
    }
  });

  it('returns a readable 403 where the member lacks the permission', async () => {
    const { apiKey } = await addMember(workspace, { role: workspace.roles.member });
    const request = { apiKey, headers: from(page), body: { name: 'Changed' } };
    const answer = await api.request('PUT', workspace.path(''), request);

    expect(answer.status).toBe(403);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
  });

  it('returns the same answer for every workspace if the token is wrong', async () => {
    for (const path of [workspace.path(''), missing]) {
      const answer = await api.request('GET', path, { apiKey: 'wes_wrong', headers: from(page) });
      expect(answer.status).toBe(401);
      expect(corsOf(answer)).toEqual(readable('*'));
    }
  });

  it('returns the same answer for a foreign and for a missing workspace', async () => {
    for (const path of [other.path(''), missing, '/w/nothing']) {
      const answer = await asAdmin('GET', path, otherPage);
      expect(answer.status).toBe(404);
      expect(corsOf(answer)).toEqual(readable('*'));
    }
  });

  it('opens an event stream that the page can read', async () => {
    const { apiKey } = workspace.admin;
    const chat = await asAdmin('POST', workspace.path('/chats'), undefined, { channel: 'web-chat' });
    const path = workspace.path(`/chats/${chat.body.id}/events`);
    const open = async (origin: string) => {
      const stop = new AbortController();
      const headers = { ...from(origin), Authorization: `Bearer ${apiKey}` };
      const answer = await fetch(`${api.baseUrl}/api/v2${path}`, { headers, signal: stop.signal });
      stop.abort();
      return answer;
    };

    const allowed = await open(page);
    expect(allowed.headers.get('Content-Type')).toContain('text/event-stream');
    expect(corsOf(allowed)).toEqual(readable(page));
    const refused = await open('https://elsewhere.example');
    expect(refused.status).toBe(403);
    expect(corsOf(refused)).toEqual(unreadable);
  });
});

describe('a cross-origin request with a cookie from an allowed origin', () => {
  it('cannot write, and its response cannot be read', async () => {
    const { database, admin } = workspace;
    const browser = await signInAs(database, admin.accountId, openBrowser(api, { Origin: ours }));
    const headers = { ...from(page), Cookie: cookieOf(browser.token ?? '') };

    const read = await api.request('GET', workspace.path(''), { headers });
    expect(read.status).toBe(200);
    expect(corsOf(read)).toEqual(unreadable);
    const write = await api.request('PUT', workspace.path(''), { headers, body: {} });
    expect(write).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } });
    expect(corsOf(write)).toEqual(unreadable);
  });
});

describe('a preflight request', () => {
  const preflight = (path: string, asked = 'authorization,content-type', origin = page) =>
    api.request('OPTIONS', path, {
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': asked,
      },
    });

  it('gets the same answer for every workspace, path and origin', async () => {
    const paths = [workspace.path(''), other.path('/chats'), missing, '/w/nothing'];
    const answers = [
      ...(await Promise.all(paths.map((path) => preflight(path)))),
      await preflight(workspace.path(''), 'Authorization', 'https://elsewhere.example'),
    ];

    for (const answer of answers) {
      expect(answer.status).toBe(204);
      expect(corsOf(answer)).toEqual(readable('*'));
      expect(answer.headers.get('Access-Control-Allow-Methods')).toContain('PUT');
      expect(answer.headers.get('Access-Control-Allow-Headers')).toMatch(/Authorization.*Last-Event-ID/);
      expect(answer.headers.get('Access-Control-Max-Age')).toBe('600');
    }
  });

  it('is not approved for requests without a token or outside a workspace', async () => {
    const answers = [await preflight(workspace.path(''), 'content-type'), await preflight('/account')];

    for (const answer of answers) {
      expect(answer.headers.get('Access-Control-Allow-Headers')).toBeNull();
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
    }
  });
});

describe('allowedOrigins of a workspace', () => {
  const put = (on: TestApi, allowedOrigins: unknown) =>
    on.request('PUT', other.path(''), { apiKey: other.admin.apiKey, body: { allowedOrigins } });

  it.each([
    '*',
    'null',
    'https://*.example',
    'https://app.example/',
    'https://app.example/path',
    'https://app.example:443',
    'https://APP.example',
    'https://user@app.example',
    'http://app.example',
    'http://localhost.app.example',
    'wss://app.example',
    'app.example',
  ])('refuses %s', async (origin) => {
    const body = { errors: [{ pointer: '/allowedOrigins/1' }] };
    expect(await put(api, [otherPage, origin])).toMatchObject({ status: 400, body });
  });

  it('holds at most 20 origins without duplicates', async () => {
    const many = Array.from({ length: 21 }, (_, at) => `https://app${at}.example`);
    expect((await put(api, many)).status).toBe(400);
    expect((await put(api, [otherPage, otherPage])).status).toBe(400);
  });

  it('allows http on localhost outside production only', async () => {
    const local = ['http://localhost:3000', 'http://127.0.0.1:3000'];
    expect(await put(api, local)).toMatchObject({ status: 200, body: { allowedOrigins: local } });
    const production = await startApi(workspace.database, { production: true });
    onTestFinished(production.close);
    expect((await put(production, local)).status).toBe(400);
  });

  it('keeps the origins if a change omits them, and an empty list removes them', async () => {
    const renamed = await asAdmin('PUT', workspace.path(''), undefined, { name: 'Renamed' });
    expect(renamed.body.allowedOrigins).toEqual([page]);
    await allow(workspace, []);
    expect((await asAdmin('GET', workspace.path(''), page)).status).toBe(403);
  });
});
