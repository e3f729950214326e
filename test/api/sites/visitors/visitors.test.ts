import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findChat } from '../../../../db/conversations/chats.js';
import { endMemberAccess } from '../../../../domain/identity/member-tokens/member-tokens.js';
import { useApi } from '../../../support/api/use-api.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { addChatSite, type ChatSite, visit, visitorWith } from '../../../support/sites/site-chat.js';
import { conversationTasks, publishDefinition } from '../../../support/workspace/definitions.js';
import { addRole } from '../../../support/workspace/factories.js';

const clock = new MovedClock();
const { api, database, workspace, otherWorkspace, asAdmin } = useApi({ clock, trustedProxies: 1 });

const day = 86_400_000;
const addSite = (values: object = {}) => addChatSite(api, workspace, values);
const change = (site: ChatSite, body: object) => asAdmin('PUT', `/sites/${site.id}`, body);
const memberCount = async () => (await asAdmin('GET', '/members')).body.total;
const chatsOf = async (site: ChatSite) =>
  (await asAdmin('GET', '/chats', undefined, { pageSize: 100 })).body.items.filter(
    (chat: { siteId: number | null }) => chat.siteId === site.id,
  );
const memberIn = async (site: ChatSite): Promise<number> => {
  const [chat] = await database.database.readInWorkspace(workspace.workspaceId, (tx) =>
    tx('chats').where({ site_id: site.id }).select('member_id'),
  );
  return chat.member_id;
};

describe('what a site says of its chat', () => {
  it('is whether it is offered, greeting, colours and bounds, to anybody', async () => {
    const site = await addSite({ chatGreeting: 'How can we help?', themeSettings: { cornerRadius: 3 } });
    const { status, body } = await api.request('GET', `${site.path}/chat`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ offered: true, greeting: 'How can we help?', cornerRadius: 3 });
    expect(body.light.primary).toMatch(/^#[0-9a-f]{6}$/);
  });

  it.each([
    ['de-AT', 'Wie können wir helfen?', 'de'],
    ['de', 'Wie können wir helfen?', 'de'],
    ['ES', '¿En qué podemos ayudar?', 'es-MX'],
    ['en-GB', 'How can we help?', 'en-US'],
    ['fr', 'How can we help?', 'en-US'],
    ['no language', 'How can we help?', 'en-US'],
    [undefined, 'How can we help?', 'en-US'],
  ])(
    'greets a page in %s in its language, where the site has it',
    async (locale, greeting, greetingLocale) => {
      const site = await addSite({
        chatGreeting: 'How can we help?',
        chatGreetingTranslations: { de: 'Wie können wir helfen?', 'ES-mx': '¿En qué podemos ayudar?' },
      });
      const { body } = await api.request('GET', `${site.path}/chat`, { query: locale ? { locale } : {} });
      expect(body).toMatchObject({ greeting, greetingLocale });
    },
  );

  it('is told in no language that is none', async () => {
    const site = await addSite();
    expect(await change(site, { chatGreetingTranslations: { deutsch_: 'Hallo' } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/chatGreetingTranslations' }] },
    });
  });

  it.each([
    ['has no workflow', { defaultWorkflowId: null }],
    ['lets visitors begin no chat', { visitorChatsPerDay: 0 }],
  ])('is that it is not offered where the site %s', async (_, values) => {
    const site = await addSite(values);
    expect((await api.request('GET', `${site.path}/chat`)).body).toMatchObject({ offered: false });
    const begun = await api.request('POST', `${site.path}/visitors`);
    expect(begun).toMatchObject({ status: 409, body: { code: 'chat_not_offered' } });
  });

  it('ends with the workflow: once it is archived, no chat begins', async () => {
    const site = await addSite();
    const visitor = await visit(api, site);
    expect((await asAdmin('DELETE', `/workflows/${site.workflowId}`)).status).toBe(204);
    expect((await api.request('GET', `${site.path}/chat`)).body).toMatchObject({ offered: false });
    expect(await visitor.write('Hello')).toMatchObject({ status: 409, body: { code: 'chat_not_offered' } });
  });

  it('is nothing where the site is not public, or of another workspace', async () => {
    const closed = await addSite({ isPublic: false });
    const open = await addSite();
    const elsewhere = `/s/${otherWorkspace.workspaceUuid}/${open.uuid}`;
    for (const path of [closed.path, elsewhere, `/s/${workspace.workspaceUuid}/${randomUUID()}`]) {
      expect((await api.request('GET', `${path}/chat`)).status).toBe(404);
      expect((await api.request('POST', `${path}/visitors`)).status).toBe(404);
    }
  });
});

describe('a visitor', () => {
  it('is no member before the first message, and one without a name after it', async () => {
    const site = await addSite();
    const before = await memberCount();
    const visitor = await visit(api, site);
    expect((await visitor.request('GET', '/chat/messages')).body).toEqual({
      chat: null,
      messages: [],
      more: false,
    });
    expect(await memberCount()).toBe(before);

    const written = await visitor.write('Are you open on Saturday?');
    expect(written).toMatchObject({ status: 201, body: { role: 'user', text: 'Are you open on Saturday?' } });
    expect(await memberCount()).toBe(before + 1);
    const [chat] = await chatsOf(site);
    expect(chat).toMatchObject({ channel: 'web-chat', workflowId: site.workflowId, siteId: site.id });
    const member = (await asAdmin('GET', `/members/${await memberIn(site)}`)).body;
    expect(member).toMatchObject({ name: null, email: null, phone: null });
  });

  it('reads its own messages, and nothing that only the team needs', async () => {
    const site = await addSite();
    const visitor = await visit(api, site);
    await visitor.write('First');
    await visitor.write('Second');
    const [chat] = await chatsOf(site);
    const { body } = await visitor.request('GET', '/chat/messages');
    expect(body.messages.map(({ text }: { text: string }) => text)).toEqual(['Second', 'First']);
    expect(body.chat).toEqual({
      uuid: chat.uuid,
      concluded: false,
      waitsForPerson: expect.any(Boolean),
      agentAnswers: expect.any(Boolean),
      ofAccount: false,
    });
    expect(Object.keys(body.messages[0]).sort()).toEqual(
      ['author', 'authorName', 'createdAt', 'files', 'id', 'rating', 'role', 'suggestions', 'text'].sort(),
    );
  });

  it('is of the language of the page, as far as that is one', async () => {
    for (const [locale, stored] of [
      ['de-at', 'de-AT'],
      ['not_a_language', null],
    ]) {
      const site = await addSite();
      expect((await (await visit(api, site)).write('Hallo', { locale })).status).toBe(201);
      expect((await asAdmin('GET', `/members/${await memberIn(site)}`)).body.locale).toBe(stored);
    }
  });

  it('begins with a file: it becomes one member by it, in the language of the page', async () => {
    const site = await addSite();
    const visitor = await visit(api, site);
    const before = await memberCount();
    const form = new FormData();
    form.append('locale', 'de');
    form.append('file', new Blob(['a picture']), 'wound.txt');
    const { status, body: file } = await visitor.request('POST', '/chat/files', { multipart: form });
    expect(status).toBe(201);
    expect((await visitor.write('', { files: [file.id], locale: 'es' })).status).toBe(201);
    expect(await memberCount()).toBe(before + 1);
    expect((await asAdmin('GET', `/members/${await memberIn(site)}`)).body.locale).toBe('de');
    expect(await chatsOf(site)).toHaveLength(1);
  });

  it('begins with no file where no chat is offered', async () => {
    const site = await addSite();
    const visitor = await visit(api, site);
    const before = await memberCount();
    await change(site, { visitorChatsPerDay: 0 });
    const form = new FormData();
    form.append('file', new Blob(['a picture']), 'wound.txt');
    const answer = await visitor.request('POST', '/chat/files', { multipart: form });
    expect(answer).toMatchObject({ status: 409, body: { code: 'chat_not_offered' } });
    expect(await memberCount()).toBe(before);
  });

  it('reads the files of its chat, and no others', async () => {
    const site = await addSite();
    const [visitor, other] = [await visit(api, site), await visit(api, site)];
    const upload = async (by = visitor) => {
      const form = new FormData();
      form.append('file', new Blob(['My medicines: none.']), 'notes.txt');
      return (await by.request('POST', '/chat/files', { multipart: form })).body.id;
    };
    const sent = await upload();
    await visitor.write('', { files: [sent] });
    const [{ id: chatId }] = await chatsOf(site);
    const { body } = await visitor.request('GET', '/chat/messages');
    expect(body.messages[0].files).toMatchObject([{ id: sent, filename: 'notes.txt' }]);
    const read = await visitor.request('GET', `/chat/files/${sent}`);
    expect([read.status, read.body]).toEqual([200, 'My medicines: none.']);
    expect(read.headers.get('content-disposition')).toMatch(/^attachment/);

    const unsent = await upload();
    expect((await visitor.request('GET', `/chat/files/${unsent}`)).status).toBe(404);
    await other.write('Hello');
    expect((await other.request('GET', `/chat/files/${sent}`)).status).toBe(404);
    // What colleagues note is not for the visitor.
    await database.database.inWorkspace(workspace.workspaceId, async (tx) => {
      const [{ files }] = await tx('messages').where({ chat_id: chatId, role: 'user' }).select('files');
      const note = JSON.stringify(files.map((one: object) => ({ ...one, fileId: unsent })));
      const row = { uuid: randomUUID(), workspace_id: workspace.workspaceId, chat_id: chatId, files: note };
      await tx('messages').insert({ ...row, role: 'system', author: 'person', content: '"A note"' });
    });
    expect((await visitor.request('GET', `/chat/files/${unsent}`)).status).toBe(404);
  });

  it.each([
    [true, 'Dana Smith'],
    [false, null],
  ])('sees the name of a colleague only where the site shows it (%s)', async (chatShowsNames, authorName) => {
    const site = await addSite({ chatShowsNames });
    const visitor = await visit(api, site);
    await visitor.write('Hello');
    const [{ id }] = await chatsOf(site);
    await database.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('chats').where({ id }).update({ assistant_enabled: true }),
    );
    const { memberId } = workspace.admin;
    await asAdmin('PUT', `/members/${memberId}`, { name: 'Dana Smith' });
    const sent = await asAdmin('POST', `/chats/${id}/send-assistant-message`, { message: 'Good morning' });
    expect(sent.status).toBeLessThan(300);
    const { body } = await visitor.request('GET', '/chat/messages');
    expect(body.messages[0]).toMatchObject({ author: 'person', text: 'Good morning', authorName });
    expect(body.messages.at(-1)).toMatchObject({ author: 'visitor', authorName: null });
    expect(body.chat.agentAnswers).toBe(false);
    expect((await asAdmin('PUT', `/chats/${id}`, { paused: false })).status).toBe(200);
    expect((await visitor.request('GET', '/chat/messages')).body.chat.agentAnswers).toBe(true);
  });

  it('has one member and one chat, however many pages write at once for the first time', async () => {
    const site = await addSite();
    const before = await memberCount();
    const visitor = await visit(api, site);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => visitor.write(`Message ${at}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
    expect(await memberCount()).toBe(before + 1);
    expect(await chatsOf(site)).toHaveLength(1);
  });

  it('writes a message once, however often it is sent', async () => {
    const site = await addSite();
    const visitor = await visit(api, site);
    const id = randomUUID();
    const sent = await Promise.all(Array.from({ length: 5 }, () => visitor.write('Hello', { id })));
    expect(sent.map(({ status, body }) => [status, body.id])).toEqual(
      Array.from({ length: 5 }, () => [201, id]),
    );
    expect((await visitor.request('GET', '/chat/messages')).body.messages).toHaveLength(1);
  });

  it('cannot take the id of a message of somebody else', async () => {
    const site = await addSite();
    const [one, other] = [await visit(api, site), await visit(api, site)];
    const { body } = await one.write('Mine');
    expect(await other.write('Yours', { id: body.id })).toMatchObject({
      status: 400,
      body: { code: 'duplicate', errors: [{ pointer: '/uuid' }] },
    });
    expect((await one.request('GET', '/chat/messages')).body.messages).toHaveLength(1);
  });

  it.each(['', '   '])('does not send the text %j alone', async (text) => {
    const visitor = await visit(api, await addSite());
    expect((await visitor.write(text)).status).toBe(400);
  });

  it('keeps its workflow when the site gets another', async () => {
    const site = await addSite();
    const [early, late] = [await visit(api, site), await visit(api, site)];
    await early.write('Hello');
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    expect((await change(site, { defaultWorkflowId: workflowId })).status).toBe(200);
    await early.write('Still here');
    await late.write('Hello');
    const chats = await chatsOf(site);
    expect(chats.map((chat: { workflowId: number }) => chat.workflowId).sort()).toEqual(
      [site.workflowId, workflowId].sort(),
    );
  });

  it('goes on with its chat when the site offers no more of them', async () => {
    const site = await addSite();
    const visitor = await visit(api, site);
    await visitor.write('Hello');
    await change(site, { defaultWorkflowId: null });
    expect((await visitor.write('Are you there?')).status).toBe(201);
  });

  it('begins another chat only when the last one is concluded', async () => {
    const site = await addSite();
    const visitor = await visit(api, site);
    await visitor.write('Hello');
    await visitor.write('Once more', { newChat: true });
    const [only, ...others] = await chatsOf(site);
    expect(others).toEqual([]);
    await database.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('assignments')
        .where({ id: only.assignmentId })
        .update({ status: 'completed', concluded_at: new Date() }),
    );
    expect((await visitor.request('GET', '/chat/messages')).body.chat.concluded).toBe(true);
    expect((await visitor.write('Something else', { newChat: true })).status).toBe(201);
    const { body } = await visitor.request('GET', '/chat/messages');
    expect(body.messages.map(({ text }: { text: string }) => text)).toEqual(['Something else']);
    expect(await chatsOf(site)).toHaveLength(2);
    const members = await database.database.readInWorkspace(workspace.workspaceId, (tx) =>
      tx('chats').where({ site_id: site.id }).distinct('member_id'),
    );
    expect(members).toHaveLength(1);
  });

  it('rates answers of its chat, and no others', async () => {
    const site = await addSite();
    const visitor = await visit(api, site);
    const { body: own } = await visitor.write('Hello');
    const [{ id: chatId }] = await chatsOf(site);
    const answer = await database.database.inWorkspace(workspace.workspaceId, async (tx) => {
      const uuid = randomUUID();
      const stored = { uuid, workspace_id: workspace.workspaceId, chat_id: chatId };
      await tx('messages').insert({ ...stored, role: 'assistant', author: 'agent', content: '"Yes."' });
      return uuid;
    });
    const rate = (id: string, by = visitor) =>
      by.request('POST', `/chat/messages/${id}/rate`, { body: { rating: 0, comment: 'Too short.' } });
    expect((await rate(answer)).status).toBe(204);
    const shown = (await asAdmin('GET', `/chats/${chatId}/messages`)).body;
    expect(shown[0]).toMatchObject({ id: answer, userRating: 0, userRatingComment: 'Too short.' });
    expect((await rate(own.id)).status).toBe(400);
    const other = await visit(api, site);
    expect((await rate(answer, other)).status).toBe(409);
    await other.write('Hello');
    expect((await rate(answer, other)).status).toBe(404);
  });
});

describe('the token of a visitor', () => {
  it('opens nothing but the chat of its visitor', async () => {
    const site = await addSite();
    const visitor = await visit(api, site);
    await visitor.write('Hello');
    const [{ id }] = await chatsOf(site);
    for (const path of [
      '',
      '/members',
      '/chats',
      `/chats/${id}`,
      `/chats/${id}/messages`,
      '/sites',
      '/files',
    ]) {
      const { status } = await api.request('GET', workspace.path(path), { apiKey: visitor.token });
      expect([path, status]).toEqual([path, 401]);
    }
    expect((await api.request('GET', '/account', { apiKey: visitor.token })).status).toBe(401);
  });

  it('is good at its own site only', async () => {
    const [site, other] = [await addSite(), await addSite()];
    const theirs = await addChatSite(api, otherWorkspace);
    const { token } = await visit(api, site);
    for (const elsewhere of [other, theirs]) {
      const stranger = visitorWith(api, elsewhere, token);
      expect((await stranger.request('GET', '/chat/messages')).status).toBe(401);
      expect((await stranger.write('Hello')).status).toBe(401);
    }
  });

  it.each([
    ['an API key', () => workspace.admin.apiKey],
    ['no token', () => undefined],
    ['a token of the right form', () => `wvt_${'a'.repeat(43)}`],
  ])('is the only credential: %s opens no chat', async (_, credential) => {
    const site = await addSite();
    const answer = await api.request('GET', `${site.path}/chat/messages`, { apiKey: credential() });
    expect(answer.status).toBe(401);
  });

  it('ends when the visitor leaves, and the chat stays', async () => {
    const site = await addSite();
    const visitor = await visit(api, site);
    await visitor.write('Hello');
    expect((await visitor.request('DELETE', '/visitors/current')).status).toBe(204);
    expect((await visitor.request('GET', '/chat/messages')).status).toBe(401);
    expect(await chatsOf(site)).toHaveLength(1);
  });

  it('ends after a day without a message, after thirty days without use, and after ninety at most', async () => {
    const site = await addSite();
    const [silent, rare, frequent] = [await visit(api, site), await visit(api, site), await visit(api, site)];
    await rare.write('Hello');
    await frequent.write('Hello');
    const read = (visitor: typeof rare) => visitor.request('GET', '/chat/messages');
    const begun = clock.now().getTime();
    try {
      clock.advance(day + 1_000);
      expect((await read(silent)).status).toBe(401);
      for (let days = 20; days <= 80; days += 20) {
        clock.advance(20 * day);
        expect((await read(frequent)).status).toBe(200);
        if (days === 40) expect((await read(rare)).status).toBe(401);
      }
      clock.advance(begun + 90 * day + 1_000 - clock.now().getTime());
      expect((await read(frequent)).status).toBe(401);
    } finally {
      clock.advance(begun - clock.now().getTime());
    }
  });

  it('ends when a person proves to be the member', async () => {
    const site = await addSite();
    const visitor = await visit(api, site);
    await visitor.write('My address is somebody@example.com');
    const memberId = await memberIn(site);
    const { identity } = database.database;
    await database.database.inIdentity((tx) =>
      endMemberAccess({ identity }, tx, [{ workspaceId: workspace.workspaceId, memberId }], clock.now()),
    );
    expect((await visitor.request('GET', '/chat/messages')).status).toBe(401);
  });

  it('ends with the member, and with the site', async () => {
    const [site, other] = [await addSite(), await addSite()];
    const [one, two] = [await visit(api, site), await visit(api, other)];
    await one.write('Hello');
    await two.write('Hello');
    const memberId = await memberIn(site);
    expect((await asAdmin('DELETE', `/members/${memberId}`)).status).toBe(204);
    expect((await one.write('Again')).status).toBe(401);
    const [{ id }] = await chatsOf(other);
    expect((await asAdmin('DELETE', `/sites/${other.id}`)).status).toBe(204);
    expect([401, 404]).toContain((await two.write('Again')).status);
    const left = await database.database.readInWorkspace(workspace.workspaceId, (tx) => findChat(tx, id));
    expect(left).toMatchObject({ siteId: null });
  });

  it('is of no use while the site is closed, or the member disabled', async () => {
    const site = await addSite();
    const visitor = await visit(api, site);
    await visitor.write('Hello');
    await change(site, { isPublic: false });
    expect((await visitor.write('Again')).status).toBe(404);
    await change(site, { isPublic: true });
    const memberId = await memberIn(site);
    await asAdmin('POST', `/members/${memberId}/disable`);
    expect(await visitor.write('Again')).toMatchObject({ status: 403, body: { code: 'member_disabled' } });
  });

  it('has no permissions, whatever role the member gets', async () => {
    const site = await addSite();
    const [visitor, other] = [await visit(api, site), await visit(api, site)];
    await visitor.write('Hello');
    const role = await addRole(workspace, { permissions: ['files:read', 'chats:read', 'chats:write'] });
    const memberId = await memberIn(site);
    expect((await asAdmin('PUT', `/members/${memberId}`, { memberRoleId: role.id })).status).toBe(200);
    const form = new FormData();
    form.append('file', new Blob(['private']), 'private.txt');
    await other.write('Hello');
    const uploaded = await other.request('POST', '/chat/files', { multipart: form });
    expect(uploaded.status).toBe(201);
    expect((await visitor.write('', { files: [uploaded.body.id] })).status).toBe(400);
  });
});
