import { describe, expect, it } from 'vitest';
import { lockChat } from '../../../../db/conversations/chats.js';
import { insertFollowUp, selectPendingFollowUps } from '../../../../db/conversations/follow-ups.js';
import { alertColleague } from '../../../../domain/kernel/alert-colleague.js';
import { useApi } from '../../../support/api/use-api.js';
import { addAssistant } from '../../../support/sites/assistant.js';
import { addChatSite, type ChatSite, visit, visitorWith } from '../../../support/sites/site-chat.js';
import { uniqueEmail } from '../../../support/workspace/factories.js';
import { stranger } from '../../../support/workspace/organizations.js';

const { api, database, workspace, asAdmin } = useApi({ trustedProxies: 1 });
const within = <T>(work: Parameters<typeof database.database.inWorkspace<T>>[1]) =>
  database.database.inWorkspace(workspace.workspaceId, work);

const chatOf = async (site: ChatSite) =>
  (await asAdmin('GET', '/chats', undefined, { pageSize: 100 })).body.items.find(
    (chat: { siteId: number | null }) => chat.siteId === site.id,
  );
const assignmentOf = async (site: ChatSite) =>
  (await asAdmin('GET', `/assignments/${(await chatOf(site)).assignmentId}`)).body;
const memberOf = (site: ChatSite): Promise<number> =>
  within(async (tx) => {
    const [chat] = await tx('chats').where({ site_id: site.id }).select('member_id');
    return chat.member_id;
  });
const pokesOf = (subject: string): Promise<number> =>
  within(async (tx) => (await tx('outbox').where({ subject, action: 'poke' })).length);
const leave = (visitor: { request: (method: string, path: string) => Promise<{ status: number }> }) =>
  visitor.request('DELETE', '/visitors/current');
const followUp = (chatId: number) =>
  within((tx) =>
    insertFollowUp(tx, {
      chatId,
      instructions: 'Ask again',
      dueAt: new Date(Date.now() + 3_600_000),
      scheduledByMemberId: null,
    }),
  );
const pendingIn = (chatId: number) => within((tx) => selectPendingFollowUps(tx, chatId));
const written = async (values: object = {}) => {
  const site = await addChatSite(api, workspace, values);
  const visitor = await visit(api, site);
  await visitor.write('Hello');
  return { site, visitor };
};

describe('a visitor who ends its chat', () => {
  it('ends its assignment, and the run of that, and the team reads that it has left', async () => {
    const { site, visitor } = await written();
    const { id, uuid } = await assignmentOf(site);
    const chat = await chatOf(site);
    await followUp(chat.id);
    const before = await pokesOf(uuid);
    expect((await leave(visitor)).status).toBe(204);
    expect((await asAdmin('GET', `/assignments/${id}`)).body).toMatchObject({
      status: 'cancelled',
      outcome: 'visitor_left',
    });
    expect(await pokesOf(uuid)).toBe(before + 1);
    expect(await pendingIn(chat.id)).toEqual([]);
    const { body } = await asAdmin('GET', `/chats/${chat.id}/messages`, undefined, { limit: 100 });
    expect(body.filter(({ role }: { role: string }) => role === 'system')).toMatchObject([
      { content: expect.stringContaining('The visitor has ended the chat') },
    ]);
  });

  it('has no more done for it by an assistant without a workflow', async () => {
    const { memberId } = await addAssistant(workspace);
    const { site, visitor } = await written({ defaultWorkflowId: null, defaultAssistantMemberId: memberId });
    const { id } = await chatOf(site);
    await followUp(id);
    expect((await leave(visitor)).status).toBe(204);
    expect(await pendingIn(id)).toEqual([]);
  });

  it('takes no alert back: a colleague may have to act on what it has said', async () => {
    const { site, visitor } = await written();
    const { id } = await chatOf(site);
    await within(async (tx) => {
      const chat = await lockChat(tx, id);
      if (chat === undefined) throw new Error('there is no chat');
      await alertColleague(tx, chat, 'handoff');
    });
    await leave(visitor);
    expect(await chatOf(site)).toMatchObject({ needsResponse: true, needsResponseReason: 'handoff' });
    expect(await assignmentOf(site)).toMatchObject({ status: 'cancelled' });
  });

  it('leaves an answer to its last message due, so that nothing that it has asked for is lost', async () => {
    const { site, visitor } = await written();
    const due = async () => {
      const { id } = await chatOf(site);
      return within(async (tx) => {
        const chat = await lockChat(tx, id);
        return chat !== undefined && chat.version > chat.handledVersion;
      });
    };
    expect(await due()).toBe(true);
    await leave(visitor);
    expect(await due()).toBe(true);
  });

  it.each([
    ['an address', { email: uniqueEmail() }],
    ['an id of another system', { externalId: 'patient-8' }],
  ])('keeps its assignment if the team knows %s of it, by which it can be reached', async (_, known) => {
    const { site, visitor } = await written();
    expect((await asAdmin('PUT', `/members/${await memberOf(site)}`, known)).status).toBe(200);
    expect((await leave(visitor)).status).toBe(204);
    expect(await assignmentOf(site)).toMatchObject({ status: 'active' });
  });

  it('keeps its assignment as an account, which has the chat still', async () => {
    const { site, visitor } = await written({ allowSignup: true });
    const { browser } = await stranger(api, workspace);
    const { body } = await browser.request('POST', `${site.path}/signup`, {
      body: { visitorToken: visitor.token },
    });
    expect((await leave(visitorWith(api, site, body.visitorToken))).status).toBe(204);
    expect(await assignmentOf(site)).toMatchObject({ status: 'active' });
  });

  it('does so once, however often at once, also while it writes', async () => {
    const { site, visitor } = await written();
    const { uuid } = await assignmentOf(site);
    const before = await pokesOf(uuid);
    const statuses = await Promise.all([
      ...Array.from({ length: 5 }, async () => (await leave(visitor)).status),
      visitor.write('And another thing').then(({ status }) => (status === 201 ? 204 : status)),
    ]);
    expect(statuses.filter((status) => ![204, 401].includes(status))).toEqual([]);
    expect(await assignmentOf(site)).toMatchObject({ status: 'cancelled', outcome: 'visitor_left' });
    expect(await pokesOf(uuid)).toBeLessThanOrEqual(before + 2);
  });

  it('before it has written only ends its token', async () => {
    const site = await addChatSite(api, workspace);
    const visitor = await visit(api, site);
    expect((await leave(visitor)).status).toBe(204);
    expect(await chatOf(site)).toBeUndefined();
  });
});
