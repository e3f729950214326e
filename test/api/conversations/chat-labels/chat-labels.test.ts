import { beforeAll, describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { createWorkspace, randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, asAdmin, asMember } = useApi();
let accessLabelId: number;

beforeAll(async () => {
  accessLabelId = (await newLabel()).id;
});

interface Label {
  id: number;
  slug: string;
}
const labelBody = () => ({ name: 'Urgent', slug: `urgent-${randomTag()}`, color: '#cc0000' });
const newLabel = async (body: object = labelBody()): Promise<Label> =>
  (await asAdmin('POST', '/chat-labels', body)).body;
const newChat = async (): Promise<number> =>
  (await asMember('POST', '/chats', { channel: 'web-chat' })).body.id;
const label = (chatId: number, labelIds: unknown) => asAdmin('PUT', `/chats/${chatId}`, { labelIds });
const slugsOf = async (chatId: number): Promise<string[]> =>
  (await asMember('GET', `/chats/${chatId}`)).body.labels.map(({ slug }: Label) => slug);

describeAccess(
  () => ({ api, workspace, otherWorkspace }),
  ['list', 'create', 'get', 'update', 'delete'],
  () => {
    const one = `/chat-labels/${accessLabelId}`;
    const scope = 'workspace:write';
    return [
      { method: 'GET', path: '/chat-labels', scope: 'chats:read', writes: false, namesItem: false },
      { method: 'POST', path: '/chat-labels', scope, writes: true, body: labelBody(), namesItem: false },
      { method: 'GET', path: one, scope: 'chats:read', writes: false, namesItem: true },
      { method: 'PUT', path: one, scope, writes: true, body: { name: 'B' }, namesItem: true },
      { method: 'DELETE', path: one, scope, writes: true, namesItem: true },
    ];
  },
);

describe('creating a chat label', () => {
  it('stores the given fields with a lower-case colour', async () => {
    const body = { ...labelBody(), color: '#CC00aa', description: 'Today' };

    const answer = await asAdmin('POST', '/chat-labels', body);

    expect(answer).toMatchObject({ status: 201, body: { ...body, color: '#cc00aa' } });
    expect(Object.keys(answer.body).sort()).toEqual(['color', 'description', 'id', 'name', 'slug', 'uuid']);
    expect((await asMember('GET', `/chat-labels/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it('derives the slug from the name and sets a default colour', async () => {
    const tag = randomTag();

    const answer = await asAdmin('POST', '/chat-labels', { name: ` Rückruf: morgen ${tag}! ` });

    expect(answer.body).toMatchObject({
      slug: `ruckruf-morgen-${tag}`,
      color: '#808080',
      description: '',
    });
  });

  it.each([
    ['no name', { name: undefined }, ['/name']],
    ['a blank name', { name: '  ' }, ['/name']],
    ['a slug with a space', { slug: 'two words' }, ['/slug']],
    ['a slug in capitals', { slug: 'Urgent' }, ['/slug']],
    ['a name no slug can be made of', { name: '緊急', slug: undefined }, ['/slug']],
    ['a colour by its name', { color: 'red' }, ['/color']],
    ['a short colour', { color: '#c00' }, ['/color']],
    ['an unknown field', { colour: '#cc0000' }, ['/colour']],
  ])('refuses %s', async (_what, change, pointers) => {
    const answer = await asAdmin('POST', '/chat-labels', { ...labelBody(), ...change });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, pointers]);
  });

  it('gives a slug to one of twenty concurrent requests', async () => {
    const body = labelBody();

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => asAdmin('POST', '/chat-labels', body)),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => [body.code, pointersOf(body)])).toEqual(
      refused.map(() => ['duplicate', ['/slug']]),
    );
  });

  it('allows the same slug in another workspace', async () => {
    const { slug } = await newLabel();

    const answer = await callAs(api, otherWorkspace, otherWorkspace.admin)('POST', '/chat-labels', {
      name: 'Theirs',
      slug,
    });

    expect(answer.status).toBe(201);
  });
});

it('lists chat labels in pages, searched literally by parts of name and slug', async () => {
  const place = await createWorkspace(workspace.database);
  const as = callAs(api, place, place.admin);
  for (const name of ['100% sure', 'Call back', 'Billing']) await as('POST', '/chat-labels', { name });

  const names = async (query: Record<string, string | number>) =>
    (await as('GET', '/chat-labels', undefined, query)).body.items.map(({ name }: { name: string }) => name);

  expect(await names({})).toEqual(['100% sure', 'Billing', 'Call back']);
  expect(await names({ search: '0%' })).toEqual(['100% sure']);
  expect(await names({ search: '_' })).toEqual([]);
  expect(await names({ search: 'call-b' })).toEqual(['Call back']);
  expect(await names({ pageSize: 1, page: 2, sortOrder: 'desc' })).toEqual(['Billing']);
});

describe('changing a chat label', () => {
  it('changes the label on the chats that have it', async () => {
    const { id } = await newLabel();
    const chatId = await newChat();
    await label(chatId, [id]);
    const change = { name: 'Later', slug: `later-${randomTag()}`, color: '#00ff00', description: 'Soon' };

    expect(await asAdmin('PUT', `/chat-labels/${id}`, change)).toMatchObject({ status: 200, body: change });

    expect((await asMember('GET', `/chats/${chatId}`)).body.labels).toMatchObject([{ id, ...change }]);
  });

  it('keeps omitted fields', async () => {
    const body = { ...labelBody(), description: 'Today' };
    const { id } = await newLabel(body);

    expect((await asAdmin('PUT', `/chat-labels/${id}`, {})).body).toMatchObject(body);
  });

  it('refuses the slug of another label', async () => {
    const [one, two] = [await newLabel(), await newLabel()];

    const answer = await asAdmin('PUT', `/chat-labels/${one.id}`, { slug: two.slug });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/slug']]);
  });

  it('returns 404 for an unknown label', async () => {
    expect((await asAdmin('PUT', '/chat-labels/987654321', { name: 'x' })).status).toBe(404);
    expect((await asAdmin('DELETE', '/chat-labels/987654321')).status).toBe(404);
  });
});

describe('the labels of a chat', () => {
  it('are replaced by the given labels', async () => {
    const [one, two, three] = [await newLabel(), await newLabel(), await newLabel()];
    const chatId = await newChat();

    await label(chatId, [one.id, two.id]);
    expect((await slugsOf(chatId)).sort()).toEqual([one.slug, two.slug].sort());
    const answer = await label(chatId, [two.id, three.id, three.id]);

    expect(answer.body.labels.map(({ slug }: Label) => slug).sort()).toEqual([two.slug, three.slug].sort());
    await asAdmin('PUT', `/chats/${chatId}`, { title: 'Named' });
    expect(await slugsOf(chatId)).toHaveLength(2);
    expect((await label(chatId, [])).body.labels).toEqual([]);
  });

  it('must belong to the workspace, otherwise nothing of the request is applied', async () => {
    const foreign = await callAs(api, otherWorkspace, otherWorkspace.admin)(
      'POST',
      '/chat-labels',
      labelBody(),
    );
    const { id } = await newLabel();
    const chatId = await newChat();

    const answer = await asAdmin('PUT', `/chats/${chatId}`, {
      title: 'Never',
      labelIds: [id, foreign.body.id, 987_654_321],
    });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/labelIds/1', '/labelIds/2']]);
    expect((await asMember('GET', `/chats/${chatId}`)).body).toMatchObject({ title: null, labels: [] });
  });

  it('lose a deleted label, and the chat stays', async () => {
    const [gone, kept] = [await newLabel(), await newLabel()];
    const chatId = await newChat();
    await label(chatId, [gone.id, kept.id]);

    expect((await asAdmin('DELETE', `/chat-labels/${gone.id}`)).status).toBe(204);

    expect(await slugsOf(chatId)).toEqual([kept.slug]);
    expect((await asAdmin('GET', `/chat-labels/${gone.id}`)).status).toBe(404);
  });

  it('stay consistent when labels are deleted while fifty requests assign them', async () => {
    const [gone, kept] = [await newLabel(), await newLabel()];
    const chats = await Promise.all(Array.from({ length: 10 }, newChat));
    await Promise.all(chats.map((chatId) => label(chatId, [gone.id])));

    const answers = await Promise.all([
      ...chats.flatMap((chatId) => [
        label(chatId, [kept.id, gone.id]),
        label(chatId, [kept.id]),
        label(chatId, [gone.id, kept.id]),
        label(chatId, [gone.id]),
        label(chatId, [kept.id]),
      ]),
      asAdmin('DELETE', `/chat-labels/${gone.id}`),
    ]);

    expect(answers.map(({ status }) => status).filter((status) => ![200, 204, 400].includes(status))).toEqual(
      [],
    );
    for (const { body } of answers.filter(({ status }) => status === 400)) {
      expect(body.detail).toContain('names no chat label');
    }
    for (const chatId of chats) expect(await slugsOf(chatId)).not.toContain(gone.slug);
  });

  it('stay consistent when labels with common chats are deleted at once', async () => {
    const labels = await Promise.all(Array.from({ length: 10 }, () => newLabel()));
    const chats = await Promise.all(Array.from({ length: 10 }, newChat));
    const ids = labels.map(({ id }) => id);
    // Link in the opposite order for every other label, so that deletions in link order would deadlock.
    for (const [index, id] of ids.entries()) {
      for (const chatId of index % 2 === 0 ? chats : chats.toReversed()) {
        await label(chatId, ids.slice(0, index).concat(id));
      }
    }

    const answers = await Promise.all(labels.map(({ id }) => asAdmin('DELETE', `/chat-labels/${id}`)));

    expect(answers.map(({ status }) => status)).toEqual(labels.map(() => 204));
    for (const chatId of chats) expect(await slugsOf(chatId)).toEqual([]);
  });
});
