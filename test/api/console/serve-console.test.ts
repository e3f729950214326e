import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveConsole } from '../../../api/console/serve-console.js';

const folder = mkdtempSync(join(tmpdir(), 'wes-console-'));
const signedIn = { Cookie: '__Host-wes_session=anything' };
const servers: Server[] = [];
let origin: string;

async function serve(from: string): Promise<string> {
  const server = createServer(new Koa().use(serveConsole(from)).callback());
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const get = (path: string, headers: Record<string, string> = signedIn) =>
  fetch(origin + path, { headers, redirect: 'manual' });

beforeAll(async () => {
  mkdirSync(`${folder}/assets`);
  writeFileSync(`${folder}/index.html`, '<title>Console</title>');
  writeFileSync(`${folder}/assets/index-AbC_1-x.js`, 'go()');
  writeFileSync(`${folder}/secret.txt`, 'nobody reads this');
  origin = await serve(folder);
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

describe('the console', () => {
  it.each(['/console', '/console/', '/console/w/an-id/inbox/5?view=mine'])(
    'is a page at %s',
    async (path) => {
      const answer = await get(path);
      expect(await answer.text()).toBe('<title>Console</title>');
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      const policy = answer.headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
    },
  );

  it('leads who is not signed in to the sign-in, and from there back', async () => {
    const path = '/console/w/an-id/inbox?view=mine';
    const answer = await get(path, {});
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe(`/sign-in?return=${encodeURIComponent(path)}`);
  });

  it('shows who is invited where to join without a session, and nothing else of an organization', async () => {
    const path = '/console/organizations/an-id';
    expect((await get(`${path}/join`, {})).status).toBe(200);
    expect((await get(path, {})).status).toBe(303);
    expect((await get(`${path}/join/more`, {})).status).toBe(303);
  });

  it('is where the root of the service leads who is signed in', async () => {
    expect((await get('/')).headers.get('Location')).toBe('/console');
    expect((await get('/', {})).headers.get('Location')).toBe('/sign-in');
  });

  it('has files that browsers keep for good', async () => {
    const answer = await get('/console/assets/index-AbC_1-x.js', {});
    expect([answer.status, await answer.text()]).toEqual([200, 'go()']);
    expect(answer.headers.get('Content-Type')).toMatch(/javascript/);
    expect(answer.headers.get('Cache-Control')).toContain('immutable');
  });

  it.each([
    '/console/assets/index-of-earlier-release.js',
    '/console/assets/..%2Fsecret.txt',
    '/console/assets/%2e%2e/secret.txt',
  ])('has no file at %s', async (path) => {
    const answer = await get(path);
    expect(await answer.text()).not.toContain('nobody reads this');
    if (path.endsWith('.js')) expect(answer.status).toBe(404);
  });

  it('has no files where the project was not built', async () => {
    const unbuilt = await serve(`${folder}/missing`);
    expect((await fetch(`${unbuilt}/console/assets/a.js`)).status).toBe(404);
  });
});
