import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/use-api.js';
import { addChatSite, type ChatSite, visit } from '../../../support/sites/site-chat.js';
import { randomTag } from '../../../support/workspace/factories.js';

const { api, database, workspace, otherWorkspace, asAdmin } = useApi();
const allowed = 'https://www.partner.example';
const domain = `www.${randomTag()}.example`;
let site: ChatSite;
let other: ChatSite;

beforeAll(async () => {
  site = await addChatSite(api, workspace);
  other = await addChatSite(api, workspace);
  await asAdmin('PUT', '', { allowedOrigins: [allowed] });
  const now = new Date();
  await database.database.inWorkspace(workspace.workspaceId, async (tx) => {
    const { siteDomains } = database.database.identity;
    const claim = { siteId: site.id, domain, challenge: 'c', createdAt: now, updatedAt: now };
    const { id } = await siteDomains.insert(claim, tx);
    await siteDomains.patch(id, { provedAt: now }, tx);
  });
});

const from = (origin: string) => ({ Origin: origin, 'Sec-Fetch-Site': 'cross-site' });
const begin = (place: ChatSite, origin: string) =>
  api.request('POST', `${place.path}/visitors`, { headers: from(origin) });

describe('a page of another origin', () => {
  it.each([
    ['that the workspace allows', () => allowed],
    ['at the domain of the site', () => `https://${domain}`],
  ])('%s shows the chat', async (_, origin) => {
    const begun = await begin(site, origin());
    expect(begun.status).toBe(201);
    expect(begun.headers.get('Access-Control-Allow-Origin')).toBe(origin());
    expect(begun.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(begun.headers.get('Access-Control-Expose-Headers')).toContain('Retry-After');
  });

  it.each([
    ['of anybody', () => 'https://evil.example', () => site],
    ['at the domain of another site', () => `https://${domain}`, () => other],
    ['at another port of the domain', () => `https://${domain}:8443`, () => site],
    ['below the domain', () => `https://x.${domain}`, () => site],
    ['without an origin', () => 'null', () => site],
  ])('%s does not', async (_, origin, place) => {
    const begun = await begin(place(), origin());
    expect(begun).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } });
    expect(begun.headers.get('Access-Control-Allow-Origin')).toBeNull();
    const { token } = await visit(api, place());
    const read = await api.request('GET', `${place().path}/chat/messages`, {
      apiKey: token,
      headers: from(origin()),
    });
    expect(read).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } });
  });

  it('does not once the domain has lapsed', async () => {
    const lapsed = `www.${randomTag()}.example`;
    const place = await addChatSite(api, workspace);
    await database.database.inWorkspace(workspace.workspaceId, (tx) => {
      const now = new Date();
      const claim = { siteId: place.id, domain: lapsed, challenge: 'c', createdAt: now, updatedAt: now };
      return database.database.identity.siteDomains.insert(claim, tx);
    });
    expect((await begin(place, `https://${lapsed}`)).status).toBe(403);
  });

  it('is asked before: preflights allow what the chat sends, and no credentials', async () => {
    for (const [method, path] of [
      ['POST', '/visitors'],
      ['POST', '/chat/messages'],
      ['GET', '/chat/events'],
    ] as const) {
      const answer = await api.request('OPTIONS', site.path + path, {
        headers: {
          Origin: allowed,
          'Access-Control-Request-Method': method,
          'Access-Control-Request-Headers': 'content-type',
        },
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('Access-Control-Allow-Headers')).toContain('Authorization');
      expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    }
  });

  it('gets nothing from the other routes of sites without a token', async () => {
    for (const path of ['', '/menu', '/signup']) {
      const answer = await api.request('OPTIONS', site.path + path, {
        headers: { Origin: allowed, 'Access-Control-Request-Method': 'POST' },
      });
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
    }
  });

  it('cannot use the workspace of another site’s path', async () => {
    const path = `/s/${otherWorkspace.workspaceUuid}/${site.uuid}/visitors`;
    expect((await api.request('POST', path, { headers: from(allowed) })).status).toBe(404);
  });
});

describe('the script of the chat', () => {
  it('is loaded by pages of any origin, and names the modules of one version', async () => {
    const origin = new URL(api.baseUrl).origin;
    const loader = await fetch(`${origin}/s/widget/chat.js`);
    expect(loader.status).toBe(200);
    expect(loader.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(loader.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    const paths = [...(await loader.text()).matchAll(/import '\.\/([^']+)'/g)].map(([, path]) => path);
    expect(paths).toHaveLength(2);
    let bytes = 0;
    for (const path of paths) {
      const answer = await fetch(`${origin}/s/widget/${path}`, {
        headers: { 'Accept-Encoding': 'gzip, br' },
      });
      expect(answer.headers.get('Cache-Control')).toContain('immutable');
      expect(answer.headers.get('Content-Type')).toContain('javascript');
      expect(answer.headers.get('Set-Cookie')).toBeNull();
      // `fetch` has decoded it: what it is compressed is asked for by its length.
      bytes += Number(answer.headers.get('Content-Length'));
      await answer.text();
    }
    expect(bytes).toBeGreaterThan(2_000);
    expect(bytes).toBeLessThan(30 * 1_024);
  });
});
