import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionCookieName } from '../../../../api/auth/session-cookie.js';
import { createApiKeySecret } from '../../../../domain/identity/api-keys/api-key-secret.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { type ApiOptions, type ApiResponse, startApi, type TestApi } from '../../../support/api/api.js';
import { addApiKey, addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let api: TestApi;

async function start(options: ApiOptions): Promise<void> {
  api = await startApi(suite.database.database, options);
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
  api.request('GET', suite.workspace.path(''), { headers, ...(apiKey === undefined ? {} : { apiKey }) });
const told = ({ headers }: ApiResponse<unknown>) => [
  headers.get('RateLimit-Policy'),
  headers.get('RateLimit'),
];
const limited = { status: 429, body: { code: 'rate_limited' } };
const newKey = () => addApiKey(suite.database.database, suite.workspace.admin.accountId);

describe('the rate limit of a credential', () => {
  it('is reported in headers, and enforced until the window ends', async () => {
    await start({ rateLimits: { credential: 2 } });
    const apiKey = await newKey();

    expect(told(await read(apiKey))).toEqual(['"credential";q=2;w=60', '"credential";r=1;t=60']);
    vi.advanceTimersByTime(20_500);
    expect(told(await read(apiKey))).toEqual(['"credential";q=2;w=60', '"credential";r=0;t=40']);
    const refused = await read(apiKey);

    expect(refused).toMatchObject(limited);
    expect(refused.body.detail).toContain('credential');
    expect(refused.headers.get('Retry-After')).toBe('40');
    expect(told(refused)).toEqual(['"credential";q=2;w=60', '"credential";r=0;t=40']);

    vi.advanceTimersByTime(39_500);
    expect((await read(apiKey)).status).toBe(200);
  });

  it('is counted per credential over all its requests', async () => {
    await start({ rateLimits: { credential: 1 } });
    const [one, other] = [await newKey(), await newKey()];

    expect((await read(one)).status).toBe(200);
    expect((await api.request('GET', '/account', { apiKey: one })).status).toBe(429);
    expect((await api.request('POST', '/workspaces', { apiKey: one, body: {} })).status).toBe(429);
    expect((await read(other)).status).toBe(200);
  });

  it('rejects a request before it changes anything', async () => {
    await start({ rateLimits: { credential: 1 } });
    const apiKey = await newKey();
    const create = () =>
      api.request('POST', suite.workspace.path('/members'), { apiKey, body: { name: 'Robin Sample' } });
    const members = () =>
      suite.database.database.inWorkspace(suite.workspace.workspaceId, (tx) => tx('members').pluck('id'));
    await create();
    const before = await members();

    expect((await create()).status).toBe(429);

    expect(await members()).toEqual(before);
  });

  it('admits exactly the quota of fifty concurrent requests', async () => {
    await start({ rateLimits: { credential: 20 } });
    const apiKey = await newKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => read(apiKey)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });
});

describe('the rate limit of a workspace', () => {
  it('covers all credentials, and requests beyond a credential’s own limit do not count', async () => {
    await start({ rateLimits: { credential: 2, workspace: 4 } });
    const [one, other, third] = [await newKey(), await newKey(), await newKey()];

    for (let count = 0; count < 5; count += 1) await read(one);
    const left = await read(other);
    await read(other);
    const refused = await read(third);

    expect(told(left)).toEqual([
      '"credential";q=2;w=60, "workspace";q=4;w=60',
      '"credential";r=1;t=60, "workspace";r=1;t=60',
    ]);
    expect(refused).toMatchObject(limited);
    expect(refused.body.detail).toContain('workspace');
    expect((await api.request('GET', '/account', { apiKey: third })).status).toBe(200);
  });
});

describe('the rate limit of an address', () => {
  it('covers requests without credentials', async () => {
    await start({ rateLimits: { address: 2 } });
    expect(told(await read())).toEqual(['"address";q=2;w=60', '"address";r=1;t=60']);
    expect((await read()).status).toBe(401);
    expect(await read()).toMatchObject(limited);
    expect((await read(await newKey())).status).toBe(200);
  });

  it('covers requests with credentials that are denied access', async () => {
    await start({ rateLimits: { address: 1 } });
    const stranger = await addMember(suite.workspace, { permissions: [], scopes: ['chats:read'] });
    expect((await read(stranger.apiKey)).status).toBe(403);
    expect(await read(stranger.apiKey)).toMatchObject(limited);
  });

  it('rejects further credentials for a while after too many wrong ones', async () => {
    await start({ rateLimits: { refusals: 1 } });
    const guess = () => read(createApiKeySecret().secret);
    for (let count = 0; count < 10; count += 1) expect((await guess()).status).toBe(401);

    const refused = await guess();
    expect(refused).toMatchObject(limited);
    expect(refused.headers.get('Retry-After')).toBe('60');
    // A key that has not been accepted yet cannot be told apart from a guess.
    expect(await read(await newKey())).toMatchObject(limited);

    vi.advanceTimersByTime(60_000);
    expect((await guess()).status).toBe(401);
  });

  it('does not affect other callers while one keeps sending the same wrong key', async () => {
    await start({ rateLimits: { refusals: 3 } });
    const [known, fresh, stale] = [await newKey(), await newKey(), createApiKeySecret().secret];
    expect((await read(known)).status).toBe(200);
    for (let count = 0; count < 3; count += 1) expect((await read(stale)).status).toBe(401);

    expect(await read(stale)).toMatchObject(limited);
    expect((await read(known)).status).toBe(200);
    expect((await read(fresh)).status).toBe(200);
    expect((await read()).status).toBe(401);
  });

  it('admits recently accepted credentials despite wrong ones from the same address', async () => {
    await start({ rateLimits: { refusals: 1 } });
    const known = await newKey();
    expect((await read(known)).status).toBe(200);
    for (let count = 0; count < 20; count += 1) await read(createApiKeySecret().secret);
    expect((await read(known)).status).toBe(200);
    expect((await api.request('POST', '/login-codes', { body: {} })).status).toBe(400);
  });

  it('does not count missing credentials as wrong ones', async () => {
    await start({ rateLimits: { refusals: 1 } });
    for (let count = 0; count < 3; count += 1) expect((await read()).status).toBe(401);
  });

  it('counts an expired cookie as missing credentials, not as wrong ones', async () => {
    await start({ rateLimits: { refusals: 1, address: 2 } });
    const stale = () => read(undefined, { Cookie: `${sessionCookieName}=gone` });
    expect((await stale()).status).toBe(401);
    expect((await stale()).status).toBe(401);
    expect(await stale()).toMatchObject(limited);
    expect((await read(await newKey())).status).toBe(200);
  });

  it('uses the connection’s address and ignores X-Forwarded-For by default', async () => {
    await start({ rateLimits: { address: 1 } });
    await read(undefined, { 'X-Forwarded-For': '192.0.2.1' });
    expect((await read(undefined, { 'X-Forwarded-For': '192.0.2.2' })).status).toBe(429);
  });

  it('uses the address that the last trusted proxy reports', async () => {
    await start({ rateLimits: { address: 1 }, trustedProxies: 2 });
    const from = async (forwarded: string) =>
      (await read(undefined, { 'X-Forwarded-For': forwarded })).status;

    expect(await from('192.0.2.1, 198.51.100.1')).toBe(401);
    expect(await from('203.0.113.9, 192.0.2.1, 198.51.100.1')).toBe(429);
    expect(await from('192.0.2.1, 192.0.2.2, 198.51.100.1')).toBe(401);
  });
});

describe('the rate limit of an account', () => {
  it('covers all its credentials and workspaces', async () => {
    await start({ rateLimits: { account: 3 } });
    const [one, other] = [await newKey(), await newKey()];
    const account = (apiKey: string) => api.request('GET', '/account', { apiKey });
    expect(told(await read(one))).toEqual(['"account";q=3;w=60', '"account";r=2;t=60']);
    expect((await account(other)).status).toBe(200);
    expect((await read(other)).status).toBe(200);

    const refused = await account(one);
    expect(refused).toMatchObject(limited);
    expect(refused.body.detail).toContain('account');
    const somebodyElse = await addMember(suite.workspace, { permissions: [], scopes: allScopes });
    expect((await account(somebodyElse.apiKey)).status).toBe(200);
  });
});

describe('the documentation pages', () => {
  it.each([['/openapi.json'], ['/docs'], ['/docs/swagger-ui-bundle.js']])(
    'count %s as a request without credentials, and support ETags',
    async (path) => {
      await start({ rateLimits: { address: 2 } });
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
  let verified = 0;
  const carrier = {
    verifySignature({ signature }: { signature: string }) {
      verified += 1;
      return signature.startsWith('g');
    },
  };
  beforeEach(() => {
    verified = 0;
  });

  it('rejects requests before reading them after too many wrong signatures', async () => {
    await start({ rateLimits: { refusals: 2 }, carrier });
    expect((await post(wellFormed)).status).toBe(401);
    expect((await post(wellFormed)).status).toBe(401);
    expect(await post(wellFormed)).toMatchObject(limited);
    expect(verified).toBe(2);

    vi.advanceTimersByTime(60_000);
    expect((await post(wellFormed)).status).toBe(401);
  });

  it('never rejects an address with recent correct signatures', async () => {
    await start({ rateLimits: { refusals: 1 }, carrier });
    const good = `g${'o'.repeat(26)}=`;
    expect((await post(good)).status).toBe(400);
    for (let count = 0; count < 5; count += 1) expect((await post(wellFormed)).status).toBe(401);
    expect((await post(good)).status).toBe(400);
  });

  it('reads no body without a well-formed signature, and at most a small one with it', async () => {
    await start({ carrier });
    const large = { Body: 'x'.repeat(70_000) };
    expect((await post('no signature', large)).status).toBe(401);
    expect((await post(`g${'o'.repeat(26)}=`, large)).status).toBe(413);
    expect(verified).toBe(0);
  });
});

describe('a proxy that is not configured as trusted', () => {
  it('is logged once as an error', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    await start({ logger });
    for (let count = 0; count < 3; count += 1) await read(undefined, { 'X-Forwarded-For': '192.0.2.1' });
    expect(lines.filter(({ setting }) => setting === 'TRUST_PROXY')).toHaveLength(1);
  });
});

describe('the exemptions from rate limits', () => {
  it.each([['/health/live'], ['/health/ready']])('include %s', async (path) => {
    await start({ rateLimits: { credential: 1, workspace: 1, address: 1, refusals: 1 } });
    for (let count = 0; count < 3; count += 1) {
      const answer = await api.request('GET', path);
      expect(answer.status).not.toBe(429);
      expect(answer.headers.get('RateLimit')).toBeNull();
    }
  });

  it('include every request if all quotas are 0', async () => {
    await start({});
    const answer = await read(await newKey());
    expect(told(answer)).toEqual([null, null]);
  });
});
