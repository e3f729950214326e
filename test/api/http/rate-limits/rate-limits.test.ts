import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionCookieName } from '../../../../api/auth/session-cookie.js';
import { createApiKeySecret } from '../../../../domain/identity/api-keys/api-key-secret.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { type ApiOptions, type ApiResponse, startApi, type TestApi } from '../../../support/api/api.js';
import { addApiKey, addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { database, workspace } = useWorkspace();
let api: TestApi;

async function start(rateLimits: ApiOptions['rateLimits'] = {}, options: ApiOptions = {}): Promise<void> {
  api = await startApi(database.database, { ...options, rateLimits });
}
// Freeze the clock, so that no window ends during a test; timers still run.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await api.close();
});

const read = (apiKey?: string, headers: Record<string, string> = {}) =>
  api.request('GET', workspace.path(''), { headers, apiKey });
const statusOf = async (apiKey?: string) => (await read(apiKey)).status;
const account = (apiKey: string) => api.request('GET', '/account', { apiKey });
const told = ({ headers }: ApiResponse<unknown>) =>
  ['RateLimit-Policy', 'RateLimit'].map((name) => headers.get(name));
const limited = { status: 429, body: { code: 'rate_limited' } };
const limitedOf = (what: string) => {
  return { status: 429, body: { ...limited.body, detail: expect.stringContaining(what) } };
};
const newKey = () => addApiKey(database.database, workspace.admin.accountId);
/** Sends a wrong key this often; every one is refused as such. */
async function guess(times = 1, key = () => createApiKeySecret().secret): Promise<void> {
  for (let count = 0; count < times; count += 1) expect(await statusOf(key())).toBe(401);
}

describe('the rate limit of a credential', () => {
  it('is reported in headers, and enforced until the window ends', async () => {
    await start({ credential: 2 });
    const apiKey = await newKey();

    expect(told(await read(apiKey))).toEqual(['"credential";q=2;w=60', '"credential";r=1;t=60']);
    vi.advanceTimersByTime(20_500);
    expect(told(await read(apiKey))).toEqual(['"credential";q=2;w=60', '"credential";r=0;t=40']);
    const refused = await read(apiKey);

    expect(refused).toMatchObject(limitedOf('credential'));
    expect(refused.headers.get('Retry-After')).toBe('40');
    expect(told(refused)).toEqual(['"credential";q=2;w=60', '"credential";r=0;t=40']);

    vi.advanceTimersByTime(39_500);
    expect(await statusOf(apiKey)).toBe(200);
  });

  it('is counted per credential over all its requests', async () => {
    await start({ credential: 1 });
    const [one, other] = [await newKey(), await newKey()];

    expect(await statusOf(one)).toBe(200);
    expect((await account(one)).status).toBe(429);
    expect((await api.request('POST', '/workspaces', { apiKey: one, body: {} })).status).toBe(429);
    expect(await statusOf(other)).toBe(200);
  });

  it('rejects a request before it changes anything', async () => {
    await start({ credential: 1 });
    const apiKey = await newKey();
    const body = { name: 'Robin Sample' };
    const create = () => api.request('POST', workspace.path('/members'), { apiKey, body });
    const members = () =>
      database.database.inWorkspace(workspace.workspaceId, (tx) => tx('members').pluck('id'));
    await create();
    const before = await members();
    expect((await create()).status).toBe(429);
    expect(await members()).toEqual(before);
  });

  it('admits exactly the quota of fifty concurrent requests', async () => {
    await start({ credential: 20 });
    const apiKey = await newKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => read(apiKey)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });
});

describe('the rate limit of a workspace', () => {
  it('covers all credentials, and requests beyond a credential’s own limit do not count', async () => {
    await start({ credential: 2, workspace: 4 });
    const [one, other, third] = [await newKey(), await newKey(), await newKey()];

    for (let count = 0; count < 5; count += 1) await read(one);
    const left = await read(other);
    await read(other);
    const refused = await read(third);

    expect(told(left)).toEqual([
      '"credential";q=2;w=60, "workspace";q=4;w=60',
      '"credential";r=1;t=60, "workspace";r=1;t=60',
    ]);
    expect(refused).toMatchObject(limitedOf('workspace'));
    expect((await account(third)).status).toBe(200);
  });
});

describe('the rate limit of an address', () => {
  it('covers requests without credentials', async () => {
    await start({ address: 2 });
    expect(told(await read())).toEqual(['"address";q=2;w=60', '"address";r=1;t=60']);
    expect([await statusOf(), await statusOf(), await statusOf(await newKey())]).toEqual([401, 429, 200]);
  });

  it('covers requests with credentials that are denied access', async () => {
    await start({ address: 1 });
    const { apiKey } = await addMember(workspace, { permissions: [], scopes: ['chats:read'] });
    expect(await statusOf(apiKey)).toBe(403);
    expect(await read(apiKey)).toMatchObject(limited);
  });

  it('rejects further credentials for a while after too many wrong ones', async () => {
    await start({ refusals: 1 });
    await guess(10);

    const refused = await read(createApiKeySecret().secret);
    expect(refused).toMatchObject(limited);
    expect(refused.headers.get('Retry-After')).toBe('60');
    // A key that has not been accepted yet cannot be told apart from a guess.
    expect(await read(await newKey())).toMatchObject(limited);

    vi.advanceTimersByTime(60_000);
    await guess();
  });

  it('does not affect other callers while one keeps sending the same wrong key', async () => {
    await start({ refusals: 3 });
    const [known, fresh, stale] = [await newKey(), await newKey(), createApiKeySecret().secret];
    expect(await statusOf(known)).toBe(200);
    await guess(3, () => stale);

    expect(await read(stale)).toMatchObject(limited);
    expect([await statusOf(known), await statusOf(fresh), await statusOf()]).toEqual([200, 200, 401]);
  });

  it('admits recently accepted credentials despite wrong ones from the same address', async () => {
    await start({ refusals: 1 });
    const known = await newKey();
    expect(await statusOf(known)).toBe(200);
    for (let count = 0; count < 20; count += 1) await read(createApiKeySecret().secret);
    expect(await statusOf(known)).toBe(200);
    expect((await api.request('POST', '/login-codes', { body: {} })).status).toBe(400);
  });

  it.each<[string, Record<string, string>]>([
    ['missing credentials', {}],
    ['an expired cookie', { Cookie: `${sessionCookieName}=gone` }],
  ])('does not count %s as wrong ones', async (_what, headers) => {
    await start({ refusals: 1, address: 2 });
    for (let count = 0; count < 2; count += 1) expect((await read(undefined, headers)).status).toBe(401);
    expect(await read(undefined, headers)).toMatchObject(limited);
    expect(await statusOf(await newKey())).toBe(200);
  });

  it('uses the connection’s address and ignores X-Forwarded-For by default', async () => {
    await start({ address: 1 });
    await read(undefined, { 'X-Forwarded-For': '192.0.2.1' });
    expect((await read(undefined, { 'X-Forwarded-For': '192.0.2.2' })).status).toBe(429);
  });

  it('uses the address that the last trusted proxy reports', async () => {
    await start({ address: 1 }, { trustedProxies: 2 });
    const from = async (forwarded: string) =>
      (await read(undefined, { 'X-Forwarded-For': forwarded })).status;

    expect(await from('192.0.2.1, 198.51.100.1')).toBe(401);
    expect(await from('203.0.113.9, 192.0.2.1, 198.51.100.1')).toBe(429);
    expect(await from('192.0.2.1, 192.0.2.2, 198.51.100.1')).toBe(401);
  });
});

describe('the rate limit of an account', () => {
  it('covers all its credentials and workspaces', async () => {
    await start({ account: 3 });
    const [one, other] = [await newKey(), await newKey()];
    expect(told(await read(one))).toEqual(['"account";q=3;w=60', '"account";r=2;t=60']);
    expect((await account(other)).status).toBe(200);
    expect(await statusOf(other)).toBe(200);

    expect(await account(one)).toMatchObject(limitedOf('account'));
    const somebodyElse = await addMember(workspace, { permissions: [], scopes: allScopes });
    expect((await account(somebodyElse.apiKey)).status).toBe(200);
  });
});

describe('the documentation pages', () => {
  it.each([['/openapi.json'], ['/docs'], ['/docs/page.js']])(
    'count %s as a request without credentials, and support ETags',
    async (path) => {
      await start({ address: 2 });
      const first = await api.request('GET', path);
      expect(first.status).toBe(200);
      expect(first.headers.get('Cache-Control')).toBe('public, max-age=300');
      const etag = first.headers.get('ETag') ?? '';
      const again = await api.request('GET', path, { headers: { 'If-None-Match': etag } });
      expect(again).toMatchObject({ status: 304, body: '' });
      expect(await api.request('GET', path)).toMatchObject(limited);
    },
  );
});

describe('the rate limit of carrier webhooks', () => {
  const post = (signature: string, form: Record<string, string> = {}) =>
    api.request('POST', '/carrier-messages/inbound', { form, headers: { 'X-Twilio-Signature': signature } });
  const wellFormed = `${'w'.repeat(27)}=`;
  const good = `g${'o'.repeat(26)}=`;
  const verifySignature = vi.fn(({ signature }: { signature: string }) => signature === good);
  const carrier = { verifySignature };
  beforeEach(() => void verifySignature.mockClear());

  it('rejects requests before reading them after too many wrong signatures', async () => {
    await start({ refusals: 2 }, { carrier });
    for (let count = 0; count < 2; count += 1) expect((await post(wellFormed)).status).toBe(401);
    expect(await post(wellFormed)).toMatchObject(limited);
    expect(verifySignature).toHaveBeenCalledTimes(2);

    vi.advanceTimersByTime(60_000);
    expect((await post(wellFormed)).status).toBe(401);
  });

  it('never rejects an address with recent correct signatures', async () => {
    await start({ refusals: 1 }, { carrier });
    expect((await post(good)).status).toBe(400);
    for (let count = 0; count < 5; count += 1) expect((await post(wellFormed)).status).toBe(401);
    expect((await post(good)).status).toBe(400);
  });

  it('reads no body without a well-formed signature, and at most a small one with it', async () => {
    await start({}, { carrier });
    const large = { Body: 'x'.repeat(70_000) };
    expect((await post('no signature', large)).status).toBe(401);
    expect((await post(good, large)).status).toBe(413);
    expect(verifySignature).not.toHaveBeenCalled();
  });
});

describe('a proxy that is not configured as trusted', () => {
  it('is logged once as an error', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    await start({}, { logger });
    for (let count = 0; count < 3; count += 1) await read(undefined, { 'X-Forwarded-For': '192.0.2.1' });
    expect(lines.filter(({ setting }) => setting === 'TRUST_PROXY')).toHaveLength(1);
  });
});

describe('the exemptions from rate limits', () => {
  it.each([['/health/live'], ['/health/ready']])('include %s', async (path) => {
    await start({ credential: 1, workspace: 1, address: 1, refusals: 1 });
    for (let count = 0; count < 3; count += 1) {
      const answer = await api.request('GET', path);
      expect(answer.status).not.toBe(429);
      expect(answer.headers.get('RateLimit')).toBeNull();
    }
  });

  it('include every request if all quotas are 0', async () => {
    await start({});
    expect(told(await read(await newKey()))).toEqual([null, null]);
  });
});
