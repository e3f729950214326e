import { beforeAll, describe, expect, it } from 'vitest';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addAssistant } from '../../../support/sites/assistant.js';
import { addChatSite, type ChatSite, visit } from '../../../support/sites/site-chat.js';

const { api, workspace, otherWorkspace, asAdmin } = useApi();
let assistant: { id: number; memberId: number };
beforeAll(async () => {
  assistant = await addAssistant(workspace);
});

const withAssistant = (values: object = {}) =>
  addChatSite(api, workspace, { defaultAssistantMemberId: assistant.memberId, ...values });
const alone = () => withAssistant({ defaultWorkflowId: null });
const offered = async (site: ChatSite) => (await api.request('GET', `${site.path}/chat`)).body.offered;
const chatsOf = async (site: ChatSite) =>
  (await asAdmin('GET', '/chats', undefined, { pageSize: 100 })).body.items.filter(
    (chat: { siteId: number | null }) => chat.siteId === site.id,
  );
const assistantsIn = ({ participants }: { participants: { role: string; memberId: number }[] }) =>
  participants.filter(({ role }) => role === 'assistant').map(({ memberId }) => memberId);

describe('a site with an assistant', () => {
  it('offers a chat with it alone where it has no workflow', async () => {
    const site = await alone();
    expect((await asAdmin('GET', `/sites/${site.id}`)).body).toMatchObject({
      defaultWorkflowId: null,
      defaultAssistantMemberId: assistant.memberId,
    });
    expect(await offered(site)).toBe(true);
    expect((await (await visit(api, site)).write('Hello')).status).toBe(201);
    const [chat, ...others] = await chatsOf(site);
    expect(others).toEqual([]);
    expect(chat).toMatchObject({
      channel: 'web-chat',
      chatType: 'simple',
      workflowId: null,
      assignmentId: null,
    });
    expect(assistantsIn(chat)).toEqual([assistant.memberId]);
  });

  it('has it answer in chats with its workflow', async () => {
    const site = await withAssistant();
    await (await visit(api, site)).write('Hello');
    const [chat] = await chatsOf(site);
    expect(chat).toMatchObject({ chatType: 'workflow', workflowId: site.workflowId });
    expect(assistantsIn(chat)).toEqual([assistant.memberId]);
  });

  it('shows the tag of the chat on its pages', async () => {
    const site = await alone();
    const tag = `data-site="${site.uuid}"`;
    const page = async () => (await fetch(`${new URL(api.baseUrl).origin}/s/${site.uuid}/`)).text();
    expect(await page()).toContain(tag);
    await asAdmin('PUT', `/sites/${site.id}`, { defaultAssistantMemberId: null });
    expect(await page()).not.toContain(tag);
  });

  it.each([
    ['is disabled', (id: number) => asAdmin('PUT', `/assistants/${id}`, { enabled: false })],
    ['is deleted', (id: number) => asAdmin('DELETE', `/assistants/${id}`)],
  ])('offers no chat once the assistant %s, although the workspace has a default one', async (_, end) => {
    const standIn = await addAssistant(workspace, 'Default');
    await asAdmin('PUT', `/assistants/${standIn.id}`, { isDefault: true });
    const named = await addAssistant(workspace);
    const site = await addChatSite(api, workspace, {
      defaultWorkflowId: null,
      defaultAssistantMemberId: named.memberId,
    });
    const visitor = await visit(api, site);
    expect((await end(named.id)).status).toBeLessThan(300);
    expect(await offered(site)).toBe(false);
    expect(await visitor.write('Hello')).toMatchObject({ status: 409, body: { code: 'chat_not_offered' } });
  });

  it('offers none where its workflow is out of use: the assistant does not stand in for it', async () => {
    const site = await withAssistant();
    expect((await asAdmin('DELETE', `/workflows/${site.workflowId}`)).status).toBe(204);
    expect(await offered(site)).toBe(false);
  });

  it.each([
    ['nobody', async () => 999_999_999],
    ['a person', async () => workspace.member.memberId],
    ['an assistant of another workspace', async () => (await addAssistant(otherWorkspace)).memberId],
  ])('is not one that names %s', async (_, memberId) => {
    const body = { name: 'Site', defaultAssistantMemberId: await memberId() };
    const answer = await asAdmin('POST', '/sites', body);
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual(['/defaultAssistantMemberId']);
  });

  it('hands it on to its copy', async () => {
    const site = await alone();
    const copy = await asAdmin('POST', `/sites/${site.id}/duplicate`, { name: 'Copy' });
    expect(copy.body).toMatchObject({ defaultAssistantMemberId: assistant.memberId });
  });

  it('keeps what only its team needs from visitors', async () => {
    const site = await alone();
    const { body } = await api.request('GET', site.path);
    expect(body).not.toHaveProperty('defaultAssistantMemberId');
  });
});

describe('a chat with an assistant alone', () => {
  it('is done while the team has archived it, and goes on when the visitor writes', async () => {
    const site = await alone();
    const visitor = await visit(api, site);
    await visitor.write('Hello');
    const [{ id }] = await chatsOf(site);
    const concluded = async () => (await visitor.request('GET', '/chat/messages')).body.chat.concluded;
    expect(await concluded()).toBe(false);
    expect((await asAdmin('PUT', `/chats/${id}`, { archived: true })).status).toBe(200);
    expect(await concluded()).toBe(true);
    await visitor.write('One more thing');
    expect(await concluded()).toBe(false);
    expect(await chatsOf(site)).toHaveLength(1);
  });

  it('is followed by another one once it is done, if the visitor wants one', async () => {
    const site = await alone();
    const visitor = await visit(api, site);
    await visitor.write('Hello');
    await visitor.write('Another matter', { newChat: true });
    const [{ id }, ...others] = await chatsOf(site);
    expect(others).toEqual([]);
    await asAdmin('PUT', `/chats/${id}`, { archived: true });
    await visitor.write('Another matter', { newChat: true });
    expect(await chatsOf(site)).toHaveLength(2);
  });
});
