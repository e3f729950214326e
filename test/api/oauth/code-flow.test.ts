import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { statement } from '../../../db/statement.js';
import { subjectKey } from '../../../domain/identity/oauth/subject-key.js';
import { formsOf, PageVisitor } from '../../support/api/page-visitor.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { testEncryption, testEncryptionKey } from '../../support/lib/encryption.js';
import { hours, MovedClock } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { addMember } from '../../support/workspace/factories.js';

const clock = new MovedClock();
const oauth = useOAuth({ clock });
const { api, workspace } = oauth;
const errorIn = (location: string | undefined) => new URL(location ?? '').searchParams.get('error');

const tables = ['clients', 'grants', 'access_tokens', 'artifacts', 'replays', 'keys', 'subject_keys'];

/** All rows of the authorization server, as text. */
async function keptOfOAuth(): Promise<string> {
  const rows = await oauth.db().inIdentity(async (tx) => {
    const all: unknown[] = [];
    for (const table of tables) {
      all.push(await statement(tx, `select to_jsonb(t) as row from identity.oauth_${table} t`, []));
    }
    return all;
  });
  return JSON.stringify(rows);
}

describe('the code flow', () => {
  it('goes from discovery over consent to a token that reads the API within its scopes', async () => {
    const { client, application } = await oauth.addApplication();
    const { tokens, location } = await oauth.connect(client);

    expect(new URL(location).searchParams.get('iss')).toBe(`${api.baseUrl}/api/v2/oauth`);
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'chats:read', expires_in: 3_600 });
    expect(await oauth.readChats(tokens.access_token)).toMatchObject({ status: 200 });
    await waitFor('the use of the application is noted', async () => {
      const found = await oauth.db().identity.oauthClients.findByClientId(application.clientId);
      return found !== undefined && found.lastUsedAt !== null;
    });
    const members = await api.request('GET', workspace.path('/members'), { apiKey: tokens.access_token });
    expect(members).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    const account = await api.request('GET', '/account', { apiKey: tokens.access_token });
    expect(account).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });

  it('has a person who is not signed in sign in first, and goes on with the consent', async () => {
    const { client, application } = await oauth.addApplication({ name: 'Field <notes>' });
    const visitor = new PageVisitor(api);
    const begun = await client.begin();

    const asked = await visitor.follow(await visitor.get(begun.path));
    expect(asked.text).toContain('<h1>Sign in</h1>');
    const next = formsOf(asked.text)[0]?.hidden.return ?? '';
    expect(next).toContain('/api/v2/oauth/consent/');
    const { email } = await oauth.accountOf(workspace.admin);
    const consent = await visitor.follow(await visitor.signIn(email ?? '', next));

    expect(consent.status).toBe(200);
    expect(consent.text).toContain('Connect Field &lt;notes&gt;');
    expect(consent.text).toContain('<code>chats:read</code>');
    expect(consent.text).toContain('client.example');
    const action = formsOf(consent.text).at(-1)?.action ?? '';
    const end = await visitor.follow(
      await visitor.submit(consent, action, { decision: 'allow', ...oauth.workspaceId() }),
    );
    expect(await client.exchange(end.location ?? '', begun)).toMatchObject({ scope: 'chats:read' });
    expect(application.clientId).toMatch(/^wesc_/);
  });

  it('tells the client that the person did not allow it', async () => {
    const { client } = await oauth.addApplication();
    const { path } = await client.begin();
    const end = await client.consent(await oauth.signedIn(), path, { decision: 'deny' });
    expect(errorIn(end.location)).toBe('access_denied');
    expect(new URL(end.location ?? '').searchParams.get('iss')).toBe(`${api.baseUrl}/api/v2/oauth`);
  });

  it('asks for a workspace of the person, and takes no other', async () => {
    const { client } = await oauth.addApplication();
    const visitor = await oauth.signedIn();
    const { path } = await client.begin();
    const asked = await visitor.follow(await visitor.get(path));
    const action = formsOf(asked.text).at(-1)?.action ?? '';
    const none = await visitor.submit(asked, action, { decision: 'allow' });
    expect(none).toMatchObject({ status: 400, text: expect.stringContaining('Choose a workspace.') });
    const other = await visitor.submit(asked, action, {
      decision: 'allow',
      workspaceId: String(oauth.otherWorkspace.workspaceId),
    });
    expect(other).toMatchObject({
      status: 400,
      text: expect.stringContaining('Choose a workspace.'),
    });
  });

  it('asks for consent each time, because each grant is for one workspace', async () => {
    const { client } = await oauth.addApplication();
    const visitor = await oauth.signedIn();
    await oauth.connect(client, {}, visitor);
    const again = await visitor.follow(await visitor.get((await client.begin()).path));
    expect(again.text).toContain('<h1>Connect Client</h1>');
  });

  it('fills in the scopes of the application where the client asks for none', async () => {
    const { client } = await oauth.addApplication();
    const { tokens } = await oauth.connect(client, { scope: undefined as never });
    expect(tokens.scope).toBe('members:read chats:read');
  });

  it('lets a public client in, and a program on the device at any port of the loopback', async () => {
    const { client } = await oauth.addApplication({
      confidential: false,
      redirectUris: ['http://127.0.0.1:3333/callback'],
    });
    client.settings.redirectUri = 'http://127.0.0.1:49152/callback';
    const { tokens } = await oauth.connect(client);
    expect(await oauth.readChats(tokens.access_token)).toMatchObject({ status: 200 });
  });

  it('names its endpoints by the configured address, whatever Host a request has', async () => {
    const headers = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
    const { origin } = new URL(api.baseUrl);
    for (const path of [
      '/.well-known/oauth-authorization-server/api/v2/oauth',
      '/.well-known/openid-configuration/api/v2/oauth',
      '/api/v2/oauth/.well-known/openid-configuration',
    ]) {
      const answer = await fetch(origin + path, { headers });
      const metadata = (await answer.json()) as Record<string, unknown>;
      expect(metadata).toMatchObject({
        issuer: `${origin}/api/v2/oauth`,
        authorization_endpoint: `${origin}/api/v2/oauth/authorize`,
        token_endpoint: `${origin}/api/v2/oauth/token`,
        revocation_endpoint: `${origin}/api/v2/oauth/revoke`,
        introspection_endpoint: `${origin}/api/v2/oauth/introspect`,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        scopes_supported: expect.arrayContaining(['chats:read', 'openid']),
      });
      expect(metadata).not.toHaveProperty('registration_endpoint');
      expect(metadata.scopes_supported).not.toContain('keys:write');
    }
  });

  it('gives an ID token with a pseudonym for each client, signed by a published key', async () => {
    const first = await oauth.addApplication();
    const second = await oauth.addApplication();
    const subjects: unknown[] = [];
    const key = await subjectKey({
      db: oauth.db(),
      clock,
      encryption: testEncryption,
      secrets: [testEncryptionKey],
    });
    const pseudonym = (clientId: string) =>
      createHmac('sha256', key).update(`${clientId} ${workspace.admin.accountId}`).digest('base64url');
    for (const { client } of [first, second]) {
      const { tokens } = await oauth.connect(client, { scope: 'openid chats:read' });
      const [, claims = ''] = (tokens.id_token ?? '').split('.');
      subjects.push(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub);
    }
    expect(subjects).toEqual([first, second].map(({ client }) => pseudonym(client.settings.clientId)));
    expect(new Set(subjects).size).toBe(2);
    const { origin } = new URL(api.baseUrl);
    const { keys } = (await (await fetch(`${origin}/api/v2/oauth/jwks`)).json()) as { keys: object[] };
    expect(keys).toEqual([expect.objectContaining({ kty: 'EC', alg: 'ES256' })]);
    expect(keys[0]).not.toHaveProperty('d');
  });

  it('stores neither codes nor tokens nor cookies in clear', async () => {
    const { client, secret } = await oauth.addApplication();
    const visitor = await oauth.signedIn();
    const { tokens, location } = await oauth.connect(client, {}, visitor);
    const code = new URL(location).searchParams.get('code') ?? '';
    const kept = await keptOfOAuth();
    const secrets = [code, tokens.access_token, tokens.refresh_token, secret, visitor.cookie('wes_oauth')];
    for (const text of secrets) {
      expect(text).toMatch(/.{30}/);
      expect(kept).not.toContain(text);
    }
    const hash = createHash('sha256').update(tokens.access_token).digest('hex');
    expect(kept).toContain(hash);
  });
});

describe('a token', () => {
  it('is refreshed, and each refresh gives a new one', async () => {
    const { client } = await oauth.addApplication();
    const { tokens } = await oauth.connect(client);
    const answer = await client.refresh(tokens.refresh_token ?? '');
    const next = (await answer.json()) as Record<string, string>;
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(await oauth.readChats(next.access_token ?? '')).toMatchObject({ status: 200 });
  });

  it('is refused after an hour, by the clock of the service', async () => {
    const { client } = await oauth.addApplication();
    const { tokens } = await oauth.connect(client);
    clock.advance(hours(1));
    expect(await oauth.readChats(tokens.access_token)).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  });

  it('ends with the membership, the account and the permissions of the role', async () => {
    const { client } = await oauth.addApplication({ scopes: ['workspace:read'] });
    const person = await addMember(workspace, { role: workspace.roles.admin });
    const visitor = await oauth.signedIn(person);
    const { tokens } = await oauth.connect(client, { scope: 'workspace:read' }, visitor);
    const read = () => api.request('GET', workspace.path('/token-usage'), { apiKey: tokens.access_token });
    expect(await read()).toMatchObject({ status: 200 });
    const demoted = { memberRoleId: workspace.roles.member.id };
    expect(await oauth.asAdmin('PUT', `/members/${person.memberId}`, demoted)).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    await oauth.db().identity.accounts.update(person.accountId, { enabled: false });
    expect(await read()).toMatchObject({ status: 401 });
    await oauth.db().identity.accounts.update(person.accountId, { enabled: true });
    await oauth.asAdmin('DELETE', `/members/${person.memberId}`);
    expect(await read()).toMatchObject({ status: 404 });
  });

  it('is introspected by its own client alone, and tells the workspace of nobody', async () => {
    const { client } = await oauth.addApplication();
    const stranger = await oauth.addApplication();
    const { tokens } = await oauth.connect(client);
    expect(await (await client.introspect(tokens.access_token)).json()).toMatchObject({
      active: true,
      scope: 'chats:read',
    });
    expect(await (await stranger.client.introspect(tokens.access_token)).json()).toEqual({ active: false });
  });

  it('is revoked by its client, with all that came of the same consent', async () => {
    const { client } = await oauth.addApplication();
    const { tokens } = await oauth.connect(client);
    expect((await client.revoke(tokens.refresh_token ?? '')).status).toBe(200);
    expect(await oauth.readChats(tokens.access_token)).toMatchObject({ status: 401 });
  });

  it('ends when the person disconnects the app, and when the app is deleted', async () => {
    const { client, application } = await oauth.addApplication();
    const visitor = await oauth.signedIn();
    const first = await oauth.connect(client, {}, visitor);
    const listed = await visitor.get('/settings/connections');
    const to = / href="([^"]*\/disconnect)"/.exec(listed.text)?.[1] ?? '';
    const sure = await visitor.get(to);
    expect(sure.text).toContain('<h1>Disconnect “Client”?</h1>');
    const done = await visitor.follow(await visitor.submit(sure, to));
    expect(done.text).toContain('“Client” is disconnected.');
    const second = await oauth.connect(client, {}, visitor);
    const states = async () => [
      (await oauth.readChats(first.tokens.access_token)).status,
      (await oauth.readChats(second.tokens.access_token)).status,
    ];
    expect(await states()).toContain(401);
    const toDelete = `/settings/applications/${application.uuid}/delete`;
    await visitor.submit(await visitor.get(toDelete), toDelete);
    expect(await states()).toEqual([401, 401]);
    expect((await client.refresh(second.tokens.refresh_token ?? '')).status).toBe(401);
  });
});
