import { describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/use-api.js';
import { addChatSite, type ChatSite, visit, visitorWith } from '../../../support/sites/site-chat.js';
import { addMember, addRole, uniqueEmail } from '../../../support/workspace/factories.js';
import { stranger } from '../../../support/workspace/organizations.js';

const { api, database, workspace, asAdmin } = useApi({ trustedProxies: 1 });

const memberIn = async (site: ChatSite): Promise<number> => {
  const [chat] = await database.database.readInWorkspace(workspace.workspaceId, (tx) =>
    tx('chats').where({ site_id: site.id }).select('member_id'),
  );
  return chat.member_id;
};
const addSite = () => addChatSite(api, workspace, { allowSignup: true });
type Browser = Awaited<ReturnType<typeof stranger>>['browser'];
const signUp = (browser: Browser, site: ChatSite, visitorToken?: string) =>
  browser.request('POST', `${site.path}/signup`, {
    body: visitorToken === undefined ? {} : { visitorToken },
  });
const visitorWhoWrote = async (site: ChatSite) => {
  const visitor = await visit(api, site);
  await visitor.write('Hello');
  return { visitor, memberId: await memberIn(site) };
};

describe('signing up as a visitor who has a chat', () => {
  it('makes the visitor’s member the account’s, with its name and proved address', async () => {
    const role = await addRole(workspace, { permissions: [] });
    const site = await addSite();
    await asAdmin('PUT', `/sites/${site.id}`, { signupMemberRoleId: role.id });
    const { visitor, memberId } = await visitorWhoWrote(site);
    const { browser, email } = await stranger(api, workspace);
    const { status, body } = await signUp(browser, site, visitor.token);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ status: 'success', memberId, roleName: role.name }),
    ]);
    expect((await asAdmin('GET', `/members/${memberId}`)).body).toMatchObject({
      email,
      memberRoleId: role.id,
    });

    // The token of before ends, so that who has it sees nothing that the person writes now.
    expect((await visitor.request('GET', '/chat/messages')).status).toBe(401);
    const next = visitorWith(api, site, body.visitorToken);
    expect((await next.request('GET', '/chat/messages')).body.messages).toHaveLength(1);
    expect((await next.write('Now I am somebody')).status).toBe(201);
    const { body: own } = await browser.request('GET', workspace.path('/chats'));
    expect(own.items).toHaveLength(1);
  });

  it('gives a token that ends when the person signs out', async () => {
    const site = await addSite();
    const { visitor } = await visitorWhoWrote(site);
    const { browser } = await stranger(api, workspace);
    const { body } = await signUp(browser, site, visitor.token);
    const next = visitorWith(api, site, body.visitorToken);
    expect((await next.request('GET', '/chat/messages')).status).toBe(200);
    expect((await browser.request('DELETE', '/sessions/current')).status).toBe(204);
    expect((await next.request('GET', '/chat/messages')).status).toBe(401);
  });

  it('never merges two: who is a member already stays it, and the chat stays where it is', async () => {
    const site = await addSite();
    const { browser } = await stranger(api, workspace);
    const first = await signUp(browser, site);
    const { visitor, memberId } = await visitorWhoWrote(site);
    const again = await signUp(browser, site, visitor.token);
    expect(again.body).toMatchObject({ status: 'already_member', memberId: first.body.memberId });
    expect(again.body.visitorToken).toBeUndefined();
    expect(first.body.memberId).not.toBe(memberId);
    expect((await visitor.request('GET', '/chat/messages')).body.messages).toHaveLength(1);
  });

  it.each([
    ['an address', { email: uniqueEmail() }],
    ['an id of another system', { externalId: 'patient-7' }],
  ])('leaves a visitor alone of whom the team knows %s', async (_, known) => {
    const site = await addSite();
    const { visitor, memberId } = await visitorWhoWrote(site);
    expect((await asAdmin('PUT', `/members/${memberId}`, known)).status).toBe(200);
    const { browser } = await stranger(api, workspace);
    const { body } = await signUp(browser, site, visitor.token);
    expect(body).toMatchObject({ status: 'success' });
    expect(body.memberId).not.toBe(memberId);
    expect(body.visitorToken).toBeUndefined();
  });

  it('takes a visitor over once, whoever else has its token', async () => {
    const site = await addSite();
    const { visitor, memberId } = await visitorWhoWrote(site);
    const people = await Promise.all([stranger(api, workspace), stranger(api, workspace)]);
    const answers = await Promise.all(people.map(({ browser }) => signUp(browser, site, visitor.token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.filter(({ body }) => body.memberId === memberId)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.memberId)).size).toBe(2);
  });

  it('leaves out an address that the member of another account has, and takes the chat along', async () => {
    const site = await addSite();
    const { visitor, memberId } = await visitorWhoWrote(site);
    const { browser, email } = await stranger(api, workspace);
    const other = await addMember(workspace);
    expect((await asAdmin('PUT', `/members/${other.memberId}`, { email })).status).toBe(200);
    const { status, body } = await signUp(browser, site, visitor.token);
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'success', memberId })]);
    expect((await asAdmin('GET', `/members/${memberId}`)).body).toMatchObject({ email: null });
    expect((await asAdmin('GET', `/members/${other.memberId}`)).body).toMatchObject({ email });
    const next = visitorWith(api, site, body.visitorToken);
    expect((await next.request('GET', '/chat/messages')).body).toMatchObject({ chat: { ofAccount: true } });
  });

  it('makes one member of fifty requests at once, and its chat is the account’s', async () => {
    const site = await addSite();
    const { visitor, memberId } = await visitorWhoWrote(site);
    const { browser } = await stranger(api, workspace);
    const once = () => signUp(browser, site, visitor.token);
    const answers = await Promise.all(Array.from({ length: 50 }, once));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.memberId))).toEqual(new Set([memberId]));
    const joined = answers.filter(({ body }) => body.visitorToken !== undefined);
    expect(joined.map(({ body }) => body.status)).toEqual(['success']);
    expect((await browser.request('GET', workspace.path('/chats'))).body.items).toHaveLength(1);
  });

  it.each([
    ['of another site', async () => (await visitorWhoWrote(await addSite())).visitor.token],
    ['of nobody', async () => `wvt_${'b'.repeat(43)}`],
    ['that is no token', async () => 'hello'],
    ['of a visitor who has not written', async (site: ChatSite) => (await visit(api, site)).token],
  ])('is an ordinary sign-up with a token %s', async (_, token) => {
    const site = await addSite();
    const { browser } = await stranger(api, workspace);
    const { body } = await signUp(browser, site, await token(site));
    expect(body).toMatchObject({ status: 'success' });
    expect(body.visitorToken).toBeUndefined();
  });
});
