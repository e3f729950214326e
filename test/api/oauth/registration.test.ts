import { describe, expect, it } from 'vitest';
import { TestOAuthClient } from '../../support/api/oauth-client.js';
import { PageVisitor } from '../../support/api/page-visitor.js';
import { redirectUri, useOAuth } from '../../support/api/use-oauth.js';
import { days, MovedClock } from '../../support/lib/moved-clock.js';

const clock = new MovedClock();
/** What is published, by address. */
const published = new Map<string, () => Response>();
const fetched: string[] = [];
const clientFetch: typeof fetch = async (input, init) => {
  fetched.push(String(input));
  expect(init?.redirect).toBe('manual');
  const answer = published.get(String(input));
  if (answer === undefined) throw new TypeError('nothing is there');
  return answer();
};
const oauth = useOAuth({ clock, registration: true, clientFetch });
const { api } = oauth;

const register = async (metadata: object) => {
  const answer = await fetch(`${api.baseUrl}/api/v2/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};

describe('dynamic registration', () => {
  it('is in the metadata, and gives a client that can be let in and refresh', async () => {
    const metadata = await new TestOAuthClient(api, { clientId: 'none', redirectUri }).server();
    expect(metadata.registration_endpoint).toBe(`${api.baseUrl}/api/v2/oauth/register`);
    const { status, body } = await register({
      client_name: 'Desk <b>client</b>',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      scope: 'chats:read members:read',
    });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('registration_access_token');
    const client = new TestOAuthClient(api, { clientId: body.client_id ?? '', redirectUri });
    const { tokens } = await oauth.connect(client);
    expect(await oauth.readChats(tokens.access_token)).toMatchObject({ status: 200 });
    expect((await client.refresh(tokens.refresh_token ?? '')).status).toBe(200);
  });

  it('keeps the hash of the secret alone', async () => {
    const { body } = await register({ redirect_uris: [redirectUri] });
    const stored = await oauth.db().identity.oauthClients.findByClientId(body.client_id ?? '');
    expect(stored?.secretHash).toHaveLength(32);
    expect(JSON.stringify(stored)).not.toContain(body.client_secret);
    const client = new TestOAuthClient(api, {
      clientId: body.client_id ?? '',
      secret: body.client_secret ?? '',
      redirectUri,
    });
    expect((await oauth.connect(client)).tokens.token_type).toBe('bearer');
  });

  it.each([
    ['http of another host', { redirect_uris: ['http://client.example/callback'] }],
    ['a scheme that browsers run', { redirect_uris: ['javascript:alert(1)'], application_type: 'native' }],
    ['a fragment', { redirect_uris: ['https://client.example/#x'] }],
    ['credentials', { redirect_uris: ['https://user:pass@client.example/'] }],
    ['a scope that no client gets', { redirect_uris: [redirectUri], scope: 'keys:write' }],
    ['no redirect', { redirect_uris: [] }],
  ])('is refused with %s', async (_what, metadata) => {
    expect((await register(metadata)).status).toBe(400);
  });
});

describe('a client that publishes its metadata', () => {
  const clientId = 'https://client.example/metadata.json';
  const publish = (changes: object = {}, id = clientId) =>
    published.set(id, () =>
      Response.json({
        client_id: id,
        client_name: 'Published client',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
        ...changes,
      }),
    );

  it('is let in without registration', async () => {
    publish();
    const client = new TestOAuthClient(api, { clientId, redirectUri });
    const { tokens } = await oauth.connect(client);
    expect(await oauth.readChats(tokens.access_token)).toMatchObject({ status: 200 });
  });

  it.each([
    [
      'names another client',
      'https://client.example/other.json',
      { client_id: 'https://client.example/metadata.json' },
    ],
    [
      'has a redirect that browsers run',
      'https://client.example/script.json',
      { redirect_uris: ['javascript:alert(1)'] },
    ],
    [
      'is too large',
      'https://client.example/large.json',
      { client_uri: `https://client.example/${'x'.repeat(6_000)}` },
    ],
  ])('is refused where its document %s', async (_what, id, changes) => {
    publish(changes, id);
    const { path } = await new TestOAuthClient(api, { clientId: id, redirectUri }).begin();
    expect(await new PageVisitor(api).get(path)).toMatchObject({ status: 400, location: undefined });
  });

  it.each([
    'https://client.example',
    'https://client.example/',
    'http://client.example/metadata.json',
    'https://a@client.example/m',
  ])('is not fetched at %s', async (id) => {
    fetched.length = 0;
    const { path } = await new TestOAuthClient(api, { clientId: id, redirectUri }).begin();
    expect(await new PageVisitor(api).get(path)).toMatchObject({ status: 400, location: undefined });
    expect(fetched).toEqual([]);
  });

  it('is not let in while it cannot be fetched', async () => {
    const { path } = await new TestOAuthClient(api, {
      clientId: 'https://client.example/gone.json',
      redirectUri,
    }).begin();
    expect(await new PageVisitor(api).get(path)).toMatchObject({ status: 400, location: undefined });
  });
});

describe('the number of registrations', () => {
  it('is bounded for an address, tells when to come back, and forgets clients that were never let in', async () => {
    let last = await register({ redirect_uris: [redirectUri] });
    for (let tries = 0; tries < 20 && last.status === 201; tries += 1)
      last = await register({ redirect_uris: [redirectUri] });
    expect(last).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
    clock.advance(days(1) + 1_000);
    const used = await register({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' });
    const unused = await register({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' });
    const client = new TestOAuthClient(api, { clientId: used.body.client_id ?? '', redirectUri });
    const begun = await client.begin();
    await client.consent(await oauth.signedIn(), begun.path, oauth.workspaceId());
    clock.advance(days(31));
    await register({ redirect_uris: [redirectUri] });
    const found = (id: string | undefined) => oauth.db().identity.oauthClients.findByClientId(id ?? '');
    expect(await found(used.body.client_id)).toBeDefined();
    expect(await found(unused.body.client_id)).toBeUndefined();
  });
});

describe('signing keys', () => {
  it('are rotated after ninety days: published first, signing later, gone at last', async () => {
    const kids = async () => {
      const answer = await fetch(`${api.baseUrl}/api/v2/oauth/jwks`);
      return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    };
    const [first] = await kids();
    clock.advance(days(91));
    const announced = await kids();
    expect(announced).toHaveLength(2);
    expect(announced[0]).toBe(first);
    clock.advance(days(1) / 8);
    const signing = await kids();
    expect(signing[1]).toBe(first);
    clock.advance(days(2));
    expect(await kids()).toEqual([signing[0]]);
  });
});
