import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import type { ApiResponse } from '../../../support/api/api.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember, createWorkspace, type TestMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace } = useApi();

type Place = typeof workspace;

const get = (path: string, query = {}, at: Place = workspace, who: TestMember = at.admin) =>
  api.request('GET', at.path(path), { apiKey: who.apiKey, query });
const rows = async (query = {}, at: Place = workspace, who: TestMember = at.admin) =>
  parse((await get('/chats/export', query, at, who)).body as string, { columns: true }) as Record<
    string,
    string
  >[];
const linesOf = ({ body }: ApiResponse<unknown>) =>
  String(body)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const transcripts = async (query = {}, at: Place = workspace, who: TestMember = at.admin) =>
  linesOf(await get('/chats/export/transcripts', query, at, who));

async function newChat(at: Place, body = {}, who: TestMember = at.member): Promise<number> {
  const answer = await api.request('POST', at.path('/chats'), {
    apiKey: who.apiKey,
    body: { channel: 'web-chat', ...body },
  });
  return answer.body.id;
}

const say = (at: Place, chatId: number, content: string) =>
  api.request('POST', at.path(`/chats/${chatId}/messages`), { apiKey: at.member.apiKey, body: { content } });
const note = (at: Place, chatId: number, content: string) =>
  at.database.inWorkspace(at.workspaceId, (tx) =>
    insertMessage(tx, { chatId, role: 'system', author: 'system', content }),
  );

describeAccess({ api, workspace, otherWorkspace }, ['export', 'transcripts'], () => {
  const every = { method: 'GET', scope: 'chats:read', needsPermission: false, namesItem: false } as const;
  return [
    { ...every, path: '/chats/export' },
    { ...every, path: '/chats/export/transcripts' },
  ];
});

describe('an export of chats', () => {
  it('has a row per chat, in order of id', async () => {
    const place = await createWorkspace(workspace.database);
    const first = await newChat(place, { title: 'Knee, left\nand right' });
    const second = await newChat(place, { title: '=1+1' });
    await say(place, first, 'Hello');

    const found = await rows({}, place);

    expect(found).toMatchObject([
      {
        id: String(first),
        channel: 'web-chat',
        title: 'Knee, left\nand right',
        memberId: String(place.member.memberId),
        archived: 'false',
        messageCount: '1',
      },
      { id: String(second), title: "'=1+1", messageCount: '0' },
    ]);
    expect((await rows({ neutralize: false }, place))[1]?.title).toBe('=1+1');
  });

  it('has the filters of the list', async () => {
    const place = await createWorkspace(workspace.database);
    const kept = await newChat(place, { title: 'Kept' });
    const other = await newChat(place, { title: 'Archived' });
    await api.request('PUT', place.path(`/chats/${other}`), {
      apiKey: place.admin.apiKey,
      body: { archived: true },
    });

    const idsOf = async (query: object) => (await rows(query, place)).map(({ id }) => Number(id));

    expect(await idsOf({ archived: false })).toEqual([kept]);
    expect(await idsOf({ search: 'Archiv' })).toEqual([other]);
    expect(await idsOf({ memberId: place.admin.memberId })).toEqual([]);
  });

  it('has more chats than one batch, each once', async () => {
    const place = await createWorkspace(workspace.database);
    const ids: number[] = [];
    // No member may begin so many on a day.
    const members = [place.member, await addMember(place), await addMember(place)];
    for (let index = 0; index < 205; index += 1) ids.push(await newChat(place, {}, members[index % 3]));

    expect((await rows({}, place)).map(({ id }) => Number(id))).toEqual(ids);
  });

  it("has only the caller's own chats without chats:read, and none of another workspace", async () => {
    const place = await createWorkspace(workspace.database);
    const own = await newChat(place);
    await newChat(place, {}, place.admin);
    await newChat(workspace);

    expect((await rows({}, place, place.member)).map(({ id }) => Number(id))).toEqual([own]);
    expect(await rows({}, place, await addMember(place))).toEqual([]);
    const lines = await transcripts({}, place, place.member);
    expect(lines.map(({ chat }) => chat.id)).toEqual([own]);
  });

  it('is a file to save', async () => {
    const { headers } = await get('/chats/export');
    expect(headers.get('Content-Type')).toContain('text/csv');
    expect(headers.get('Content-Disposition')).toContain('chats.csv');
  });

  it.each([
    ['an unknown filter', { colour: 'red' }, '/colour'],
    ['a page', { page: 2 }, '/page'],
    ['an unknown channel', { channel: 'fax' }, '/channel'],
  ])('refuses %s', async (_, query, pointer) => {
    for (const path of ['/chats/export', '/chats/export/transcripts']) {
      const answer = await get(path, query);
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
      expect(pointersOf(answer.body)[0]).toMatch(new RegExp(`^${pointer}`));
    }
  });
});

describe('an export of transcripts', () => {
  it('has each chat, followed by its messages, oldest first', async () => {
    const place = await createWorkspace(workspace.database);
    const first = await newChat(place);
    const second = await newChat(place);
    for (const text of ['one', 'two', 'three']) await say(place, first, text);
    await say(place, second, 'four');

    const lines = await transcripts({}, place);

    expect(
      lines.map(({ type, chat, chatId, message }) => [type, chat?.id ?? chatId, message?.content]),
    ).toEqual([
      ['chat', first, undefined],
      ['message', first, 'one'],
      ['message', first, 'two'],
      ['message', first, 'three'],
      ['chat', second, undefined],
      ['message', second, 'four'],
    ]);
  });

  it('has more messages than one batch, each once', async () => {
    const place = await createWorkspace(workspace.database);
    const chatId = await newChat(place);
    const texts = Array.from({ length: 405 }, (_, index) => `message ${index}`);
    await place.database.inWorkspace(place.workspaceId, async (tx) => {
      for (const content of texts)
        await insertMessage(tx, { chatId, role: 'user', author: 'member', content });
    });

    const lines = await transcripts({}, place);

    expect(lines.flatMap(({ message }) => message?.content ?? [])).toEqual(texts);
  });

  it('leaves the messages out on request', async () => {
    const place = await createWorkspace(workspace.database);
    await say(place, await newChat(place), 'Hello');

    expect((await transcripts({ messages: false }, place)).map(({ type }) => type)).toEqual(['chat']);
  });

  it('has notes for colleagues, and not for the member of the chat', async () => {
    const place = await createWorkspace(workspace.database);
    const chatId = await newChat(place);
    await say(place, chatId, 'Hello');
    await note(place, chatId, 'handed over');

    const contents = async (who: TestMember) =>
      (await transcripts({}, place, who)).flatMap(({ message }) => message?.content ?? []);

    expect(await contents(place.admin)).toEqual(['Hello', 'handed over']);
    expect(await contents(place.member)).toEqual(['Hello']);
  });
});
