import { describe, expect, it } from 'vitest';
import { formsOf, PageVisitor } from '../../support/api/page-visitor.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { MovedClock, minutes } from '../../support/lib/moved-clock.js';
import { addMember } from '../../support/workspace/factories.js';

const clock = new MovedClock();
const limits = { credential: 0, account: 0, workspace: 0, address: 0, refusals: 5 };
const oauth = useOAuth({ clock, rateLimits: limits });
const { api, workspace } = oauth;
const refused = (error: string) => expect.objectContaining({ error });
/** The error that a person reads, who may follow a link to the client and is not sent there. */
async function refusalOf(path: string): Promise<string | undefined> {
  const { location, text } = await new PageVisitor(api).get(path);
  expect(location).toBeUndefined();
  const [, error] = /<a href="https:\/\/client\.example\/callback\?error=(\w+)&amp;/.exec(text) ?? [];
  return error;
}

describe('attacks on the code', () => {
  it('a code that is used twice ends the tokens of its first use', async () => {
    const { client } = await oauth.addApplication();
    const { tokens, location, begun } = await oauth.connect(client);
    await expect(client.exchange(location, begun)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await oauth.readChats(tokens.access_token)).toMatchObject({ status: 401 });
  });

  it('of two concurrent uses of a code one succeeds at most', async () => {
    const { client } = await oauth.addApplication();
    const begun = await client.begin();
    const end = await client.consent(await oauth.signedIn(), begun.path, oauth.workspaceId());
    const uses = await Promise.allSettled([1, 2, 3].map(() => client.exchange(end.location ?? '', begun)));
    expect(uses.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  it('a code needs the verifier of its request', async () => {
    const { client } = await oauth.addApplication();
    const begun = await client.begin();
    const end = await client.consent(await oauth.signedIn(), begun.path, oauth.workspaceId());
    const other = { ...begun, verifier: 'x'.repeat(43) };
    await expect(client.exchange(end.location ?? '', other)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
  ])('a request with %s is refused', async (_what, asked) => {
    for (const confidential of [true, false]) {
      const { client } = await oauth.addApplication({ confidential });
      const { path } = await client.begin(asked);
      expect(await refusalOf(path)).toBe('invalid_request');
    }
  });

  it('a code of another client is refused, and stays unused', async () => {
    const { client } = await oauth.addApplication();
    const thief = await oauth.addApplication();
    const begun = await client.begin();
    const end = await client.consent(await oauth.signedIn(), begun.path, oauth.workspaceId());
    const location = end.location ?? '';
    await expect(thief.client.exchange(location, begun)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await client.exchange(location, begun)).toMatchObject({ token_type: 'bearer' });
  });

  it.each([
    'https://client.example/callback/',
    'https://client.example/callback?x=1',
    'https://client.example/Callback',
    'https://evil.example/callback',
    'https://client.example.evil.example/callback',
    'http://client.example/callback',
  ])('nobody is redirected to %s, which is not registered', async (redirect) => {
    const { client } = await oauth.addApplication();
    const { path } = await client.begin({ redirect_uri: redirect });
    const shown = await new PageVisitor(api).get(path);
    expect(shown).toMatchObject({ status: 400, location: undefined });
    expect(shown.text).toContain('invalid_redirect_uri');
  });

  it('an unknown client gets a page that says what to do', async () => {
    const { client } = await oauth.addApplication();
    const { path } = await client.begin({ client_id: 'wesc_gone' });
    const shown = await new PageVisitor(api).get(path);
    expect(shown).toMatchObject({ status: 400, location: undefined });
    expect(shown.text).toContain('connect it again');
  });
});

describe('attacks on tokens', () => {
  it('a token for one resource is refused by the other', async () => {
    const { client } = await oauth.addApplication();
    const { tokens } = await oauth.connect(client, { resource: client.resource.mcp });
    expect(await oauth.readChats(tokens.access_token)).toMatchObject({ status: 401 });
  });

  it('no token is given for a resource of others', async () => {
    const { client } = await oauth.addApplication();
    const { path } = await client.begin({ resource: 'https://other.example/mcp' });
    expect(await refusalOf(path)).toBe('invalid_target');
    const { tokens } = await oauth.connect(client);
    const changed = await client.refresh(tokens.refresh_token ?? '', { resource: client.resource.mcp });
    expect(changed.status).toBe(400);
    expect(await changed.json()).toEqual(refused('invalid_target'));
  });

  it('a refresh that is repeated within half a minute is answered with the same tokens', async () => {
    const { client } = await oauth.addApplication();
    const { tokens } = await oauth.connect(client);
    const first = await (await client.refresh(tokens.refresh_token ?? '')).json();
    expect(await (await client.refresh(tokens.refresh_token ?? '')).json()).toEqual(first);
  });

  it('concurrent refreshes give one successor, or are told to try again', async () => {
    const { client } = await oauth.addApplication();
    const { tokens } = await oauth.connect(client);
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.refresh(tokens.refresh_token ?? '')));
    const given = await Promise.all(
      answers.map(
        async (answer) => [answer.status, (await answer.json()) as Record<string, string>] as const,
      ),
    );
    const successors = new Set(
      given.filter(([status]) => status === 200).map(([, body]) => JSON.stringify(body)),
    );
    expect(successors.size).toBe(1);
    for (const [status, body] of given)
      if (status !== 200) expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
    const [winner] = successors;
    expect(await oauth.readChats(JSON.parse(winner ?? '').access_token)).toMatchObject({ status: 200 });
  });

  it('a refresh token that is used again later ends everything that came of the consent', async () => {
    const { client } = await oauth.addApplication();
    const { tokens } = await oauth.connect(client);
    const next = (await (await client.refresh(tokens.refresh_token ?? '')).json()) as Record<string, string>;
    clock.advance(minutes(1));
    const stolen = await client.refresh(tokens.refresh_token ?? '');
    expect(await stolen.json()).toEqual(refused('invalid_grant'));
    expect(await oauth.readChats(next.access_token ?? '')).toMatchObject({ status: 401 });
    expect(await (await client.refresh(next.refresh_token ?? '')).json()).toEqual(refused('invalid_grant'));
  });

  it('a refresh token of another client is refused, and stays valid', async () => {
    const { client } = await oauth.addApplication();
    const thief = await oauth.addApplication();
    const { tokens } = await oauth.connect(client);
    expect(await (await thief.client.refresh(tokens.refresh_token ?? '')).json()).toEqual(
      refused('invalid_grant'),
    );
    expect((await client.refresh(tokens.refresh_token ?? '')).status).toBe(200);
  });

  it('a refresh gives no scope that was not granted', async () => {
    const { client } = await oauth.addApplication();
    const { tokens } = await oauth.connect(client);
    const more = await client.refresh(tokens.refresh_token ?? '', { scope: 'chats:read members:read' });
    expect(await more.json()).toEqual(refused('invalid_scope'));
  });

  it.each(['keys:write', 'members:impersonate', 'account:create', 'account:write', 'no:such'])(
    'the scope %s is refused, whoever asks',
    async (scope) => {
      const { client } = await oauth.addApplication();
      const { path } = await client.begin({ scope: `chats:read ${scope}` });
      expect(await refusalOf(path)).toBe('invalid_scope');
    },
  );

  it('a client makes no keys, applications, sessions or workspaces', async () => {
    const { client } = await oauth.addApplication();
    const { tokens } = await oauth.connect(client);
    const apiKey = tokens.access_token;
    for (const [method, path, body] of [
      ['POST', '/account/api-keys', { name: 'Key', scopes: ['chats:read'] }],
      ['POST', '/workspaces', { name: 'Mine' }],
      ['DELETE', '/sessions', undefined],
    ] as const) {
      expect(await api.request(method, path, { apiKey, body }), path).toMatchObject({ status: 403 });
    }
    const visitor = new PageVisitor(api);
    const shown = await visitor.get('/settings/api-keys', { Authorization: `Bearer ${apiKey}` });
    expect(shown).toMatchObject({ status: 303, location: '/sign-in?return=%2Fsettings%2Fapi-keys' });
  });

  it('a wrong secret is refused, and locks out this client alone', async () => {
    const { client } = await oauth.addApplication();
    const good = await oauth.addApplication();
    const { application } = await oauth.addApplication();
    const bad = {
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: application.clientId,
      client_secret: 'wrong',
    };
    const ask = () =>
      fetch(`${api.baseUrl}/api/v2/oauth/token`, { method: 'POST', body: new URLSearchParams(bad) });
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) statuses.push((await ask()).status);
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    const last = await ask();
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    const { tokens } = await oauth.connect(good.client);
    expect((await good.client.refresh(tokens.refresh_token ?? '')).status).toBe(200);
    expect((await oauth.connect(client)).tokens.token_type).toBe('bearer');
  });
});

describe('attacks on the consent', () => {
  const consentOf = async (visitor: PageVisitor) => {
    const { client } = await oauth.addApplication();
    const begun = await client.begin();
    const shown = await visitor.follow(await visitor.get(begun.path));
    const found = formsOf(shown.text).at(-1);
    if (found === undefined) throw new Error('there is no form');
    return { shown, ...found };
  };
  const allowed = () => ({ decision: 'allow', ...oauth.workspaceId() });

  it('a form without the token of the session is refused', async () => {
    const visitor = await oauth.signedIn();
    const { action } = await consentOf(visitor);
    for (const formToken of ['', 'x'.repeat(43)]) {
      expect(await visitor.post(action, { ...allowed(), formToken })).toMatchObject({ status: 403 });
    }
  });

  it('a form with the token of another person’s session is refused', async () => {
    const visitor = await oauth.signedIn();
    const other = await oauth.signedIn(await addMember(workspace, { role: workspace.roles.member }));
    const { action } = await consentOf(visitor);
    const { hidden } = await consentOf(other);
    expect(await visitor.post(action, { ...allowed(), ...hidden })).toMatchObject({ status: 403 });
  });

  it('a form from another site is refused, also with the token', async () => {
    const visitor = await oauth.signedIn();
    const { action, hidden } = await consentOf(visitor);
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    expect(await visitor.post(action, { ...allowed(), ...hidden }, foreign)).toMatchObject({ status: 403 });
  });

  it('a request that began in another browser is not consented to', async () => {
    const victim = await oauth.signedIn();
    const attacker = await oauth.signedIn(await addMember(workspace, { role: workspace.roles.member }));
    const { action } = await consentOf(attacker);
    const shown = await victim.get(action);
    expect(shown).toMatchObject({ status: 409, text: expect.stringContaining('began in another browser') });
    const { hidden } = await consentOf(victim);
    expect(await victim.post(action, { ...allowed(), ...hidden })).toMatchObject({ status: 409 });
  });

  it('a person who signs in as another one in between is asked again, as that one', async () => {
    const visitor = await oauth.signedIn(await addMember(workspace));
    const { client } = await oauth.addApplication();
    const begun = await client.begin();
    await visitor.follow(await visitor.get(begun.path));
    const other = await addMember(workspace, { role: workspace.roles.member });
    await visitor.signIn((await oauth.accountOf(other)).email ?? '');
    const shown = await visitor.follow(await visitor.get((await client.begin()).path));
    const { name, email } = await oauth.accountOf(other);
    expect(shown.text).toContain(name ?? email);
  });

  it('the page may be framed by nobody, and its forms lead here or to the client', async () => {
    const visitor = await oauth.signedIn();
    const { shown } = await consentOf(visitor);
    const policy = shown.headers.get('content-security-policy');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://client.example;");
    expect(policy).not.toContain('unsafe');
  });
});

describe('attacks on the sign-in', () => {
  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
  ])('nobody is sent on to %s', async (next) => {
    const visitor = new PageVisitor(api);
    const person = await addMember(workspace);
    expect((await visitor.signIn((await oauth.accountOf(person)).email ?? '', next)).location).toBe('/home');
  });

  it('a planted session id is not used', async () => {
    const visitor = new PageVisitor(api);
    const planted = 'x'.repeat(43);
    visitor.setCookie('__Host-wes_session', planted);
    await visitor.signIn((await oauth.accountOf(await addMember(workspace))).email ?? '');
    expect(visitor.cookie('__Host-wes_session')).not.toBe(planted);
  });

  it('a planted session of the authorization server gives nothing', async () => {
    const attacker = await oauth.signedIn();
    const { client } = await oauth.addApplication();
    await attacker.follow(await attacker.get((await client.begin()).path));
    const victim = new PageVisitor(api);
    victim.setCookie('wes_oauth', attacker.cookie('wes_oauth') ?? '');
    const shown = await victim.follow(await victim.get((await client.begin()).path));
    expect(shown.text).toContain('<h1>Sign in</h1>');
  });
});
