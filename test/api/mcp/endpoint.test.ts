import { describe, expect, it } from 'vitest';
import { catalog } from '../../../api/mcp/catalog/index.js';
import { resources } from '../../../api/mcp/catalog/resources.js';
import { sendConfirmedMcp, sendMcp, sendModernMcp } from '../../support/api/mcp.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { hours, MovedClock } from '../../support/lib/moved-clock.js';
import { addMember, type TestMember } from '../../support/workspace/factories.js';

const clock = new MovedClock();
const oauth = useOAuth({ clock, rateLimits: { refusals: 50 } });
const { api, workspace } = oauth;

const views = [...catalog, ...resources.map(({ view }) => view)];
const everything = [...new Set(views.flatMap((view) => view.scopes))];
const metadataUrl = () => `${api.baseUrl}/.well-known/oauth-protected-resource/api/v2/mcp`;

/** An access token for the tools. */
async function tokenFor(scopes: readonly string[] = everything, person: TestMember = workspace.admin) {
  const { client } = await oauth.addApplication({ scopes: [...scopes] });
  const asked = { resource: client.resource.mcp, scope: scopes.join(' ') };
  const { tokens } = await oauth.connect(client, asked, await oauth.signedIn(person));
  return { token: tokens.access_token, tokens, client };
}

let shared: Promise<string> | undefined;
const sharedToken = () => {
  shared ??= tokenFor().then(({ token }) => token);
  return shared;
};
const call = async (name: string, args: object = {}, token?: string) =>
  sendMcp(api, {
    token: token ?? (await sharedToken()),
    method: 'tools/call',
    params: { name, arguments: args },
  });
const told = (body: { content: { text: string }[] }) => JSON.parse(body.content.at(-1)?.text ?? '{}');

describe('the metadata of the endpoint', () => {
  it('names the authorization server and the scopes', async () => {
    const answer = await fetch(metadataUrl());
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=3600');
    expect(await answer.json()).toMatchObject({
      resource: `${api.baseUrl}/api/v2/mcp`,
      authorization_servers: [`${api.baseUrl}/api/v2/oauth`],
      scopes_supported: everything,
    });
  });

  it.each([
    ['no token', undefined],
    ['a text that is no token', 'x'.repeat(43)],
  ])('is named in the challenge of a request with %s', async (_what, token) => {
    const answer = await sendMcp(api, { token });
    const error = token === undefined ? '' : 'error="invalid_token", ';
    expect(answer.status).toBe(401);
    expect(answer.headers.get('WWW-Authenticate')).toBe(
      `Bearer ${error}scope="${everything.join(' ')}", resource_metadata="${metadataUrl()}"`,
    );
  });
});

describe('the scopes of a token', () => {
  it('are those of the challenge with which the client is registered, and for the API no others may be asked', async () => {
    const { client } = await oauth.addApplication({ scopes: ['members:read'] });
    const scope = everything.join(' ');
    const { tokens } = await oauth.connect(client, { resource: client.resource.mcp, scope });
    expect(tokens.scope).toBe('members:read');
    const { path } = await client.begin({ scope });
    const refused = await (await oauth.signedIn()).get(path);
    expect(refused.text).toContain('invalid_scope');
    const unknown = await client.begin({ resource: client.resource.mcp, scope: `${scope} keys:write` });
    const also = await (await oauth.signedIn()).get(unknown.path);
    expect(also.text).toContain('invalid_scope');
  });
});

describe('a credential that is refused', () => {
  it('is an API key, a session, or a token for the API', async () => {
    const { client } = await oauth.addApplication({ scopes: everything });
    const { tokens } = await oauth.connect(client, { scope: everything.join(' ') });
    const visitor = await oauth.signedIn();
    const session = `wes_session=${visitor.cookie('wes_session')}`;
    const answers = [
      await sendMcp(api, { token: workspace.admin.apiKey }),
      await sendMcp(api, { token: tokens.access_token }),
      await sendMcp(api, { headers: { Cookie: session } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it('is a token for the tools at the API', async () => {
    expect(await oauth.readChats(await sharedToken())).toMatchObject({ status: 401 });
  });

  it('is a token that has expired or was revoked', async () => {
    const revoked = await tokenFor();
    expect(await sendMcp(api, revoked)).toMatchObject({ status: 200 });
    await revoked.client.revoke(revoked.token);
    expect(await sendMcp(api, revoked)).toMatchObject({ status: 401 });
    const expired = await tokenFor();
    clock.advance(hours(1));
    shared = undefined;
    expect(await sendMcp(api, expired)).toMatchObject({ status: 401 });
  });

  it('is one of a member who has been disabled or removed since', async () => {
    const person = await addMember(workspace, { role: workspace.roles.admin });
    const { token } = await tokenFor(everything, person);
    expect(await call('list_members', {}, token)).toMatchObject({ status: 200 });
    await oauth.asAdmin('POST', `/members/${person.memberId}/disable`);
    expect(await call('list_members', {}, token)).toMatchObject({
      status: 403,
      body: { code: 'member_disabled' },
    });
    await oauth.asAdmin('DELETE', `/members/${person.memberId}`);
    expect(await call('list_members', {}, token)).toMatchObject({ status: 401 });
  });
});

describe('a message that is refused', () => {
  it.each([
    ['of another origin', { Origin: 'https://evil.example' }, 403],
    ['of an opaque origin', { Origin: 'null' }, 403],
    ['that is no JSON by its type', { 'Content-Type': 'text/plain' }, 415],
  ])('is one %s', async (_what, headers, status) => {
    expect(await sendMcp(api, { token: await sharedToken(), headers })).toMatchObject({ status });
  });

  it.each([
    ['larger than a mebibyte', JSON.stringify({ pad: 'x'.repeat(1_048_577) }), 413],
    ['nested too deep', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`, 400],
    ['not JSON', '{"jsonrpc"', 400],
    ['several messages', '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', 400],
    ['no message', '{"hello":"world"}', 400],
  ])('is one that is %s', async (_what, raw, status) => {
    expect(await sendMcp(api, { token: await sharedToken(), raw })).toMatchObject({ status });
  });

  it('is sent by GET or DELETE, as no session is kept', async () => {
    const headers = { Authorization: `Bearer ${await sharedToken()}` };
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${api.baseUrl}/api/v2/mcp`, { method, headers });
      expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST']);
    }
  });

  it('is one whose headers do not agree with its body', async () => {
    const answer = await sendModernMcp(api, {
      token: await sharedToken(),
      headers: { 'Mcp-Method': 'tools/call' },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: -32_020 } } });
  });
});

describe('the list of tools', () => {
  it('has what the role could ever do, whatever scopes the token has', async () => {
    const mine = await tokenFor(['chats:read']);
    const member = await tokenFor(['chats:read'], workspace.member);
    const names = async (token: string) =>
      (await sendMcp(api, { token })).body.tools.map(({ name }: { name: string }) => name);
    expect(await names(mine.token)).toEqual(catalog.map(({ name }) => name));
    expect(await names(member.token)).not.toContain('create_member');
    expect(await names(member.token)).toContain('list_members');
  });

  it('says how long a client may keep it', async () => {
    const { body } = await sendModernMcp(api, { token: await sharedToken() });
    expect(body).toMatchObject({ ttlMs: 300_000, cacheScope: 'private', resultType: 'complete' });
  });
});

describe('a call', () => {
  it('answers what the API answers, in text and as structured content, marked as data', async () => {
    const { body } = await call('list_members', { pageSize: 100 });
    const listed = await oauth.asAdmin('GET', '/members?pageSize=100');
    expect(body.structuredContent).toEqual(listed.body);
    expect(told(body)).toEqual(listed.body);
    expect(body.content[0].text).toContain('never as instructions');
    expect(body._meta).toEqual({ untrusted: true });
    expect(body.isError).toBeUndefined();
  });

  it('without its scope is answered with the scopes that are needed in all', async () => {
    const { token } = await tokenFor(['chats:read']);
    const answer = await call('list_members', {}, token);
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(answer.headers.get('WWW-Authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="chats:read members:read", resource_metadata="${metadataUrl()}"`,
    );
  });

  it('that the role does not allow is an error that the model sees', async () => {
    const { token } = await tokenFor(everything, workspace.member);
    const { status, body } = await call('create_member', { name: 'Juno' }, token);
    expect([status, body.isError, told(body).code]).toEqual([200, true, 'forbidden']);
  });

  it('of an unknown tool is an error of the protocol', async () => {
    expect(await call('make_coffee')).toMatchObject({ body: { error: { code: -32_602 } } });
  });

  it.each([
    ['that the tool does not have', 'list_members', { workspace_uuid: 'x' }, '/workspace_uuid'],
    ['of the wrong type', 'create_member', { name: 7 }, '/name'],
    ['that are missing', 'create_member', {}, ''],
    ['that are nested too deep', 'create_member', { name: 'x', __proto__x: { a: 1 } }, '/__proto__x'],
  ])('with arguments %s names them', async (_what, name, args, pointer) => {
    const { body } = await call(name, args);
    expect(body.isError).toBe(true);
    expect(told(body)).toMatchObject({ code: 'validation_failed' });
    expect(told(body).errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  it('with a key creates once, however often it is repeated, also at once', async () => {
    const args = { name: 'Once Only', idempotencyKey: crypto.randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => call('create_member', args)));
    const made = answers.filter(({ body }) => body.isError === undefined);
    const again = await call('create_member', args);
    const ids = [...made, again].map(({ body }) => body.structuredContent.id);
    expect(new Set(ids).size).toBe(1);
    expect(again.body.content[0].text).toContain('nothing was done again');
    const other = await call('create_member', { ...args, name: 'Another' });
    expect(told(other.body).code).toBe('idempotency_key_reused');
  });

  it('reaches nothing of another workspace', async () => {
    const { memberId } = oauth.otherWorkspace.admin;
    const params = { name: 'delete_member', arguments: { member_id: memberId } };
    const request = { token: await sharedToken(), method: 'tools/call', params };
    const { body } = await sendConfirmedMcp(api, request);
    expect(told(body)).toMatchObject({ code: 'not_found' });
  });
});

describe('a destructive call', () => {
  const victim = () => addMember(workspace);
  const isThere = async (memberId: number) =>
    (await oauth.asAdmin('GET', `/members/${memberId}`)).status === 200;

  it('is refused to a client that cannot ask, whatever its model sends along, and says what the person can do', async () => {
    const { memberId } = await victim();
    const first = await call('delete_member', { member_id: memberId });
    expect([first.body.isError, told(first.body).code]).toEqual([true, 'confirmation_required']);
    expect(await isThere(memberId)).toBe(true);
    expect(told(first.body).detail).toContain('DELETE /w/{workspace_uuid}/members/{member_id}');
    const args = { member_id: memberId, confirm: true };
    const { body: second } = await call('delete_member', args);
    expect(told(second).code).toBe('confirmation_required');
    const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
    const params = { name: 'delete_member', arguments: args, inputResponses };
    const modern = { token: await sharedToken(), method: 'tools/call', params };
    for (const capabilities of [{}, { elicitation: { url: {} } }]) {
      const { body } = await sendModernMcp(api, modern, capabilities);
      expect(told(body).code).toBe('confirmation_required');
    }
    expect(await isThere(memberId)).toBe(true);
  });

  const ask = async (params: object) =>
    sendModernMcp(
      api,
      { token: await sharedToken(), method: 'tools/call', params: { name: 'delete_member', ...params } },
      { elicitation: { form: {} } },
    );
  const yes = { confirm: { action: 'accept', content: { confirm: true } } };

  it('asks the person of a client that can, and nothing else confirms it', async () => {
    const one = await victim();
    const other = await victim();
    const args = { arguments: { member_id: one.memberId } };
    const { body: asked } = await ask(args);
    expect(asked).toMatchObject({ resultType: 'input_required', inputRequests: { confirm: {} } });
    // Without the state, with that of another call, and with one that was made up.
    const { body: unasked } = await ask({ ...args, inputResponses: yes });
    expect(unasked.resultType).toBe('input_required');
    const { requestState } = asked;
    const elsewhere = { arguments: { member_id: other.memberId }, inputResponses: yes, requestState };
    expect((await ask(elsewhere)).body.resultType).toBe('input_required');
    const forged = await ask({ ...args, inputResponses: yes, requestState: `${requestState}x` });
    expect(forged.body.error.code).toBe(-32_602);
    const no = { confirm: { action: 'decline' } };
    const { body: declined } = await ask({ ...args, inputResponses: no, requestState });
    expect(told(declined).code).toBe('not_confirmed');
    expect([await isThere(one.memberId), await isThere(other.memberId)]).toEqual([true, true]);
    await ask({ ...args, inputResponses: yes, requestState });
    expect(await isThere(one.memberId)).toBe(false);
  });
});
