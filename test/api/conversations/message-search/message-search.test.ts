import { beforeAll, describe, expect, it } from 'vitest';
import { insertParticipants } from '../../../../db/conversations/chat-details.js';
import { type ChatRow, insertChat } from '../../../../db/conversations/chats.js';
import { insertMessage, type NewMessage, patchMessage } from '../../../../db/conversations/messages.js';
import { statement } from '../../../../db/statement.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { useConnection } from '../../../support/db/use-database.js';
import { addMember, type TestMember, type TestWorkspace } from '../../../support/workspace/factories.js';

const { api, database, workspace, otherWorkspace, as } = useApi();
const superuser = useConnection(() => database.superuserUrl);

type Query = Record<string, string | number>;
const search = (query: Query, who: TestMember = workspace.admin) =>
  as(who)('GET', '/chats/message-search', undefined, query);
const found = async (query: Query, who?: TestMember) => {
  const { status, body } = await search(query, who);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.items;
};
const idsOf = async (query: Query, who?: TestMember): Promise<string[]> =>
  (await found(query, who)).map(({ id }: { id: string }) => id);

async function addChat(values: Partial<ChatRow> = {}, place: TestWorkspace = workspace): Promise<ChatRow> {
  const chat = { channel: 'web-chat', chatType: 'simple', memberId: place.member.memberId } as const;
  return place.database.inWorkspace(place.workspaceId, (tx) => insertChat(tx, { ...chat, ...values }));
}
/** Stores a message of the member in a chat. @returns its id in the API */
async function say(
  chat: Pick<ChatRow, 'id'>,
  content: NewMessage['content'],
  more: Partial<NewMessage> = {},
  place: TestWorkspace = workspace,
): Promise<string> {
  const message = { chatId: chat.id, role: 'user', author: 'member', content, ...more } as const;
  const { uuid } = await place.database.inWorkspace(place.workspaceId, (tx) => insertMessage(tx, message));
  return uuid;
}

describeAccess({ api, workspace, otherWorkspace }, ['search'], () => [
  {
    method: 'GET',
    path: '/chats/message-search?q=water',
    scope: 'chats:read',
    needsPermission: false,
    namesItem: false,
  },
]);

describe('a message that is found', () => {
  it('names its chat, and has the words in a part of its text', async () => {
    const chat = await addChat({ title: 'After the operation' });
    const { memberId } = workspace.member;
    const id = await say(chat, 'Since yesterday I have a fever, and the scar is red.', { memberId });
    expect(await found({ q: 'fever' })).toEqual([
      {
        id,
        chatId: chat.id,
        chatTitle: 'After the operation',
        chatMemberId: memberId,
        role: 'user',
        author: 'member',
        memberId,
        createdAt: expect.any(String),
        excerpt: 'Since yesterday I have a <mark>fever</mark>, and the scar is red.',
      },
    ]);
  });

  it('cannot forge a mark or an element in the excerpt', async () => {
    const chat = await addChat({ title: '<b>Title</b>' });
    await say(chat, `</mark>Payment below < limits & "heron" <mark>now</mark> patient's choice`);
    const [{ excerpt }] = await found({ q: 'heron' });
    expect(excerpt.match(/<[^>]*>/g)).toEqual(['<mark>', '</mark>']);
    expect(excerpt).toContain('below &lt; limits &amp; &quot;<mark>heron</mark>&quot;');
  });

  it('is found by the text of its parts, not by what else is in them', async () => {
    const chat = await addChat();
    const id = await say(chat, [
      { type: 'text', text: 'A bittern\nstands' },
      { type: 'image_url', image_url: { url: 'https://example.com/osprey' } },
      { type: 'text', text: 'in the "reeds"' },
    ]);
    for (const q of ['bittern', 'stands', 'reeds', '"bittern stands"'])
      expect(await idsOf({ q }), q).toEqual([id]);
    for (const q of ['osprey', 'image_url', 'nstands']) expect(await idsOf({ q }), q).toEqual([]);
    expect((await found({ q: 'reeds' }))[0].excerpt).toContain('<mark>reeds</mark>');
  });
});

describe('the words of a query', () => {
  let both: string;
  let one: string;
  beforeAll(async () => {
    const chat = await addChat();
    both = await say(chat, 'The curlew and the avocet, in Größenwahn');
    one = await say(chat, 'A curlew alone at 555-0101');
  });

  it('are all needed, or one of them, or excluded, or as they stand', async () => {
    expect(await idsOf({ q: 'curlew avocet' })).toEqual([both]);
    expect(await idsOf({ q: 'alone or avocet' })).toEqual([one, both]);
    expect(await idsOf({ q: 'curlew -avocet' })).toEqual([one]);
    expect(await idsOf({ q: '"curlew and the avocet"' })).toEqual([both]);
    expect(await idsOf({ q: '"avocet and the curlew"' })).toEqual([]);
  });

  it('find what begins with them, in any case, but not in quotes and not when excluded', async () => {
    expect(await idsOf({ q: 'CURL' })).toEqual([one, both]);
    expect(await idsOf({ q: 'größ' })).toEqual([both]);
    expect(await idsOf({ q: 'cu' })).toEqual([]);
    expect(await idsOf({ q: '"the avo"' })).toEqual([]);
    expect(await idsOf({ q: 'curlew -avo' })).toEqual([one, both]);
  });

  it.each(['-curlew', '!?', '"', '\ud83d\udc4d', "'", "a'b", '\\', ":*'", '<->', '& | !'])(
    'are read without an error when they are odd: %s',
    async (q) => {
      expect(await idsOf({ q })).toEqual([]);
    },
  );
});

describe('the search', () => {
  it('finds what the caller may read: with the member, created by it, or in which it takes part', async () => {
    const { workspaceId } = workspace;
    const reader = await addMember(workspace, { role: workspace.roles.member });
    const chats = {
      own: await addChat({ memberId: reader.memberId }),
      created: await addChat({ createdByMemberId: reader.memberId }),
      joined: await addChat(),
      foreign: await addChat(),
    };
    await workspace.database.inWorkspace(workspaceId, (tx) =>
      insertParticipants(tx, chats.joined.id, new Map([[reader.memberId, 'user']])),
    );
    const said: string[] = [];
    for (const chat of Object.values(chats)) said.unshift(await say(chat, 'kingfisher'));
    const elsewhere = await addChat({}, otherWorkspace);
    await say(elsewhere, 'kingfisher', {}, otherWorkspace);

    expect(await idsOf({ q: 'kingfisher' })).toEqual(said);
    expect(await idsOf({ q: 'kingfisher' }, reader)).toEqual(said.slice(1));
    const listed = (await as(reader)('GET', '/chats?pageSize=100')).body.items;
    expect(listed.map(({ id }: { id: number }) => id).sort()).toEqual(
      [chats.own.id, chats.created.id, chats.joined.id].sort(),
    );
  });

  it('a limit does not hide what a member may read behind what it may not', async () => {
    const reader = await addMember(workspace, { role: workspace.roles.member });
    const own = await say(await addChat({ memberId: reader.memberId }), 'plover');
    const foreign = await addChat();
    for (let count = 0; count < 3; count += 1) await say(foreign, 'plover');
    expect(await idsOf({ q: 'plover', limit: 1 }, reader)).toEqual([own]);
  });

  it('finds no notes, no tool traffic and no inner conversations, also for colleagues', async () => {
    const chat = await addChat();
    await say(chat, 'whimbrel', { role: 'system', author: 'system' });
    await say(chat, 'whimbrel', { role: 'tool', author: 'system', toolCallId: 'call' });
    await say(chat, 'whimbrel', { role: 'assistant', author: 'agent', subConversationOf: 'call' });
    const reply = await say(chat, 'whimbrel', { role: 'assistant', author: 'agent' });
    expect(await idsOf({ q: 'whimbrel' })).toEqual([reply]);
  });

  it('finds nothing of a message that is emptied or deleted, and the new words of one that is changed', async () => {
    const chat = await addChat();
    const [emptied, deleted, changed] = [
      await say(chat, 'redshank one'),
      await say(chat, 'redshank two'),
      await say(chat, 'redshank three'),
    ];
    expect(await idsOf({ q: 'redshank' })).toEqual([changed, deleted, emptied]);
    await workspace.within(async (tx) => {
      const ids = await tx('messages').where({ chat_id: chat.id }).orderBy('id').select('id');
      await patchMessage(tx, ids[0].id, { content: null });
      await tx('messages').where({ id: ids[1].id }).delete();
      await patchMessage(tx, ids[2].id, { content: 'greenshank' });
    });
    expect(await idsOf({ q: 'redshank' })).toEqual([]);
    expect(await idsOf({ q: 'greenshank' })).toEqual([changed]);
  });

  it('sees a message from the commit that stores it on, and none that is rolled back', async () => {
    const chat = await addChat();
    await workspace.database
      .inWorkspace(workspace.workspaceId, async (tx) => {
        await insertMessage(tx, { chatId: chat.id, role: 'user', author: 'member', content: 'sanderling' });
        expect(await idsOf({ q: 'sanderling' })).toEqual([]);
        throw new Error('rolled back');
      })
      .catch(() => {});
    expect(await idsOf({ q: 'sanderling' })).toEqual([]);
    const id = await say(chat, 'sanderling');
    expect(await idsOf({ q: 'sanderling' })).toEqual([id]);
  });

  it('is limited to a chat, a member and a time', async () => {
    const { memberId } = await addMember(workspace);
    const [mine, other] = [await addChat({ memberId }), await addChat()];
    const [first, second] = [await say(mine, 'dunlin'), await say(other, 'dunlin')];
    expect(await idsOf({ q: 'dunlin', chatId: mine.id })).toEqual([first]);
    expect(await idsOf({ q: 'dunlin', memberId })).toEqual([first]);
    expect(await idsOf({ q: 'dunlin', chatId: 987_654_321 })).toEqual([]);
    const [{ createdAt }] = await found({ q: 'dunlin', chatId: other.id });
    const later = new Date(Date.parse(createdAt) + 1).toISOString();
    expect(await idsOf({ q: 'dunlin', createdFrom: later })).toEqual([]);
    expect(await idsOf({ q: 'dunlin', createdBefore: later })).toEqual([second, first]);
    expect(await idsOf({ q: 'dunlin', createdBefore: '2000-01-01T00:00:00Z' })).toEqual([]);
  });

  it('goes on with older messages, also when newer ones come meanwhile', async () => {
    const chat = await addChat();
    const said: string[] = [];
    for (let count = 0; count < 5; count += 1) said.unshift(await say(chat, `turnstone ${count}`));
    const first = (await search({ q: 'turnstone', limit: 2 })).body;
    await say(chat, 'turnstone 5');
    const second = (await search({ q: 'turnstone', limit: 2, before: first.next })).body;
    const third = (await search({ q: 'turnstone', limit: 2, before: second.next })).body;
    const ids = [first, second, third].map(({ items }) => items.map(({ id }: { id: string }) => id));
    expect(ids).toEqual([said.slice(0, 2), said.slice(2, 4), said.slice(4)]);
    expect(third).not.toHaveProperty('next');
  });

  it('stores messages whose words are more than PostgreSQL takes, and finds their first', async () => {
    const words = Array.from({ length: 120_000 }, (_, at) => at.toString(36).padStart(4, 'q'));
    const id = await say(await addChat(), `firstword ${words.join(' ')} lastword`);
    const parts = words.slice(0, 100_000).map((text) => ({ type: 'text', text }));
    const ofParts = await say(await addChat(), [{ type: 'text', text: 'firstpart' }, ...parts]);
    const oneWord = await say(await addChat(), `sentinel ${'y'.repeat(60_000)}`);
    expect(await idsOf({ q: 'firstword' })).toEqual([id]);
    expect(await idsOf({ q: 'lastword' })).toEqual([]);
    expect(await idsOf({ q: 'firstpart' })).toEqual([ofParts]);
    expect(await idsOf({ q: 'sentinel' })).toEqual([oneWord]);
  });

  it('is refused when there is too much to sort in time', async () => {
    await superuser(
      `create function public.slowly() returns boolean language sql as 'select pg_sleep(30) is null'`,
    );
    const { rows } = await superuser<{ definition: string }>(
      `select pg_get_functiondef(oid) as definition from pg_proc where proname = 'search_messages'`,
    );
    const definition = rows[0]?.definition ?? '';
    await superuser(
      definition.replace('order by found.id desc', 'and public.slowly() order by found.id desc'),
    );
    try {
      await say(await addChat(), 'slowcoach');
      const refused = await search({ q: 'slowcoach' });
      expect(refused).toMatchObject({ status: 503, body: { code: 'search_too_slow' } });
    } finally {
      await superuser(definition);
      await superuser('drop function public.slowly()');
    }
  });

  it.each([
    ['blanks', { q: '   ' }, '/q'],
    ['too long a query', { q: 'x'.repeat(201) }, '/q'],
    ['too many messages', { q: 'x', limit: 51 }, '/limit'],
    ['a place that is none', { q: 'x', before: 'nonsense' }, '/before'],
    ['a chat that is none', { q: 'x', chatId: 'nonsense' }, '/chatId'],
  ])('refuses %s', async (_what, query, pointer) => {
    const { status, body } = await search(query);
    expect([status, pointersOf(body)]).toEqual([400, [pointer]]);
  });

  it('finds nothing outside of a workspace', async () => {
    await say(await addChat(), 'godwit');
    await database.database.inIdentity(async (tx) => {
      const sql = `select * from search_messages('godwit', 0, true, null, null, null, null, null, 10)`;
      expect(await statement(tx, sql, [])).toEqual([]);
    });
  });
});
