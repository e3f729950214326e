import { describe, expect, it } from 'vitest';
import { insertChat } from '../../../db/conversations/chats.js';
import { alertColleague } from '../../../domain/kernel/alert-colleague.js';
import { PageVisitor } from '../../support/api/page-visitor.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import { addMember, createWorkspace } from '../../support/workspace/factories.js';

const { api, workspace, signedIn, accountOf } = useOAuth({ clock: new MovedClock() });

const nameOf = async () =>
  (await workspace.database.identity.workspaces.findById(workspace.workspaceId))?.name ?? '';

describe('the home page', () => {
  it('is where people land who sign in', async () => {
    const visitor = new PageVisitor(api);
    const person = await addMember(workspace);
    const end = await visitor.follow(await visitor.signIn((await accountOf(person)).email ?? '', ''));
    expect(end.text).toContain(`<h3>${await nameOf()}</h3>`);
    expect(await visitor.get('/')).toMatchObject({ status: 303, location: '/console' });
    expect(await new PageVisitor(api).get('/')).toMatchObject({ status: 303, location: '/sign-in' });
  });

  it('shows a colleague how many chats wait and where they are answered, and a developer the reference', async () => {
    const { database, workspaceId, member } = workspace;
    await database.inWorkspace(workspaceId, async (tx) => {
      const chat = await insertChat(tx, {
        channel: 'web-chat',
        chatType: 'simple',
        memberId: member.memberId,
      });
      await alertColleague(tx, chat, 'handoff');
    });
    const colleague = await signedIn();
    const before = await colleague.get('/home');
    expect(before.text).toContain('<dt>Chats that wait for a person</dt><dd><strong>1</strong>');
    expect(before.text).toContain('<a href="/api/v2/docs">API reference</a>');
    expect(before.text).toContain(`<a href="/console/w/${workspace.workspaceUuid}/inbox">Answer them</a>`);
    const queueUrl = 'https://desk.example/waiting';
    await api.request('PUT', workspace.path(''), {
      apiKey: workspace.admin.apiKey,
      body: { handoffNotices: { channels: ['event'], queueUrl } },
    });
    expect((await colleague.get('/home')).text).toContain(
      `<a href="${queueUrl}" rel="noreferrer">Answer them</a>`,
    );
  });

  it('shows a plain member nothing of the queue, and nothing of other workspaces', async () => {
    const other = await createWorkspace(workspace.database, { name: 'Elsewhere <Clinic>' });
    const visitor = await signedIn(workspace.member);
    const { text } = await visitor.get('/home');
    expect(text).toContain(`<h3>${await nameOf()}</h3>`);
    expect(text).not.toContain('Chats that wait');
    expect(text).not.toContain('API reference');
    expect(text).not.toContain('Elsewhere');
    expect(other.workspaceId).not.toBe(workspace.workspaceId);
  });

  it('lists the public sites of a workspace', async () => {
    const { apiKey } = workspace.admin;
    const site = { name: 'Opening hours', isPublic: true };
    const made = await api.request('POST', workspace.path('/sites'), { apiKey, body: site });
    expect(made.status).toBe(201);
    const visitor = await signedIn(workspace.member);
    expect((await visitor.get('/home')).text).toContain(`/s/${made.body.uuid}">Opening hours</a>`);
  });

  it('says so where a member is disabled', async () => {
    const person = await addMember(workspace);
    const visitor = await signedIn(person);
    await workspace.within((tx) =>
      tx('members').where({ id: person.memberId }).update({ disabled_at: new Date() }),
    );
    expect((await visitor.get('/home')).text).toContain('This workspace is not open to you at the moment.');
  });
});
