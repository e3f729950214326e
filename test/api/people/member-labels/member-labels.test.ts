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
  (await asAdmin('POST', '/member-labels', body)).body;
const newPerson = async (): Promise<number> =>
  (await asAdmin('POST', '/members', { name: 'Someone' })).body.id;
const label = (memberId: number, labelIds: unknown) => asAdmin('PUT', `/members/${memberId}`, { labelIds });
const slugsOf = async (memberId: number): Promise<string[]> =>
  (await asAdmin('GET', `/members/${memberId}`)).body.labels.map(({ slug }: Label) => slug);

describeAccess(
  () => ({ api, workspace, otherWorkspace }),
  ['list', 'create', 'get', 'update', 'delete'],
  () => {
    const one = `/member-labels/${accessLabelId}`;
    const scope = 'roles:write';
    return [
      { method: 'GET', path: '/member-labels', scope: 'members:read', writes: false, namesItem: false },
      { method: 'POST', path: '/member-labels', scope, writes: true, body: labelBody(), namesItem: false },
      { method: 'GET', path: one, scope: 'members:read', writes: false, namesItem: true },
      { method: 'PUT', path: one, scope, writes: true, body: { name: 'B' }, namesItem: true },
      { method: 'DELETE', path: one, scope, writes: true, namesItem: true },
    ];
  },
);

describe('creating a member label', () => {
  it('stores the given fields with a lower-case colour', async () => {
    const body = { ...labelBody(), color: '#CC00aa' };

    const answer = await asAdmin('POST', '/member-labels', body);

    expect(answer).toMatchObject({ status: 201, body: { ...body, color: '#cc00aa' } });
    expect(Object.keys(answer.body).sort()).toEqual(['color', 'id', 'name', 'slug', 'uuid']);
    expect((await asMember('GET', `/member-labels/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it('derives the slug from the name and sets a default colour', async () => {
    const tag = randomTag();

    const answer = await asAdmin('POST', '/member-labels', { name: ` Rückruf: morgen ${tag}! ` });

    expect(answer.body).toMatchObject({ slug: `ruckruf-morgen-${tag}`, color: '#808080' });
  });

  it.each([
    ['no name', { name: undefined }, ['/name']],
    ['a blank name', { name: '  ' }, ['/name']],
    ['a slug with a space', { slug: 'two words' }, ['/slug']],
    ['a slug in capitals', { slug: 'Urgent' }, ['/slug']],
    ['a name no slug can be made of', { name: '緊急', slug: undefined }, ['/slug']],
    ['a colour by its name', { color: 'red' }, ['/color']],
    ['a short colour', { color: '#c00' }, ['/color']],
    ['a slug with a comma', { slug: 'one,two' }, ['/slug']],
    ['an unknown field', { colour: '#cc0000' }, ['/colour']],
  ])('refuses %s', async (_what, change, pointers) => {
    const answer = await asAdmin('POST', '/member-labels', { ...labelBody(), ...change });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, pointers]);
  });

  it('gives a slug to one of twenty concurrent requests', async () => {
    const body = labelBody();

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => asAdmin('POST', '/member-labels', body)),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => [body.code, pointersOf(body)])).toEqual(
      refused.map(() => ['duplicate', ['/slug']]),
    );
  });

  it('allows the same slug in another workspace', async () => {
    const { slug } = await newLabel();

    const answer = await callAs(api, otherWorkspace, otherWorkspace.admin)('POST', '/member-labels', {
      name: 'Theirs',
      slug,
    });

    expect(answer.status).toBe(201);
  });
});

it('lists member labels in pages, searched literally by parts of name and slug', async () => {
  const place = await createWorkspace(workspace.database);
  const as = callAs(api, place, place.admin);
  for (const name of ['100% sure', 'Call back', 'Billing']) await as('POST', '/member-labels', { name });

  const names = async (query: Record<string, string | number>) =>
    (await as('GET', '/member-labels', undefined, query)).body.items.map(
      ({ name }: { name: string }) => name,
    );

  expect(await names({})).toEqual(['100% sure', 'Call back', 'Billing']);
  expect(await names({ sortBy: 'name' })).toEqual(['100% sure', 'Billing', 'Call back']);
  expect(await names({ search: '0%' })).toEqual(['100% sure']);
  expect(await names({ search: '_' })).toEqual([]);
  expect(await names({ slug: 'call-back' })).toEqual(['Call back']);
  expect(await names({ slug: 'call' })).toEqual([]);
  expect(await names({ search: 'call-b' })).toEqual(['Call back']);
  expect(await names({ pageSize: 1, page: 2, sortBy: 'slug', sortOrder: 'desc' })).toEqual(['Billing']);
});

describe('changing a member label', () => {
  it('changes the label on the members that have it', async () => {
    const { id } = await newLabel();
    const memberId = await newPerson();
    await label(memberId, [id]);
    const change = { name: 'Later', slug: `later-${randomTag()}`, color: '#00ff00' };

    expect(await asAdmin('PUT', `/member-labels/${id}`, { ...change, color: '#00FF00' })).toMatchObject({
      status: 200,
      body: change,
    });

    const { body } = await asAdmin('GET', `/members/${memberId}`);
    expect(body.labels).toEqual([{ id, name: change.name, slug: change.slug }]);
  });

  it('keeps omitted fields', async () => {
    const body = labelBody();
    const { id } = await newLabel(body);

    expect((await asAdmin('PUT', `/member-labels/${id}`, {})).body).toMatchObject(body);
    expect(await asAdmin('PUT', `/member-labels/${id}`, { slug: body.slug })).toMatchObject({
      status: 200,
      body,
    });
  });

  it('refuses the slug of another label', async () => {
    const [one, two] = [await newLabel(), await newLabel()];

    const answer = await asAdmin('PUT', `/member-labels/${one.id}`, { slug: two.slug });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/slug']]);
  });

  it('returns 404 for an unknown label', async () => {
    expect((await asAdmin('PUT', '/member-labels/987654321', { name: 'x' })).status).toBe(404);
    expect((await asAdmin('DELETE', '/member-labels/987654321')).status).toBe(404);
  });
});

describe('the labels of a member', () => {
  it('must belong to the workspace, otherwise nothing of the request is applied', async () => {
    const foreign = await callAs(api, otherWorkspace, otherWorkspace.admin)(
      'POST',
      '/member-labels',
      labelBody(),
    );
    const { id } = await newLabel();
    const memberId = await newPerson();
    const labelIds = [id, foreign.body.id, 987_654_321];

    const answer = await asAdmin('PUT', `/members/${memberId}`, { name: 'Never', labelIds });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/labelIds/1', '/labelIds/2']]);
    expect((await asAdmin('GET', `/members/${memberId}`)).body).toMatchObject({
      name: 'Someone',
      labels: [],
    });
    const created = await asAdmin('POST', '/members', { name: 'Never', labelIds });
    expect([created.status, pointersOf(created.body)]).toEqual([400, ['/labelIds/1', '/labelIds/2']]);
  });

  it('lose a deleted label, and the member stays', async () => {
    const [gone, kept] = [await newLabel(), await newLabel()];
    const memberId = await newPerson();
    await label(memberId, [gone.id, kept.id]);

    expect((await asAdmin('DELETE', `/member-labels/${gone.id}`)).status).toBe(204);

    expect(await slugsOf(memberId)).toEqual([kept.slug]);
    expect((await asAdmin('GET', `/member-labels/${gone.id}`)).status).toBe(404);
  });

  it('stay consistent when a label is deleted while fifty requests assign it', async () => {
    const [gone, kept] = [await newLabel(), await newLabel()];
    const people = await Promise.all(Array.from({ length: 10 }, newPerson));
    await Promise.all(people.map((memberId) => label(memberId, [gone.id])));

    const answers = await Promise.all([
      ...people.flatMap((memberId) => [
        label(memberId, [kept.id, gone.id]),
        label(memberId, [kept.id]),
        label(memberId, [gone.id, kept.id]),
        label(memberId, [gone.id]),
        asAdmin('POST', '/members', { name: 'New', labelIds: [gone.id] }),
      ]),
      asAdmin('DELETE', `/member-labels/${gone.id}`),
    ]);

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 201, 204, 400].includes(status))).toEqual([]);
    for (const { body } of answers.filter(({ status }) => status === 400)) {
      expect(body.detail).toContain('There is no such member label.');
    }
    for (const memberId of people) expect(await slugsOf(memberId)).not.toContain(gone.slug);
  });

  it('stay consistent when labels with common members are deleted at once', async () => {
    const labels = await Promise.all(Array.from({ length: 10 }, () => newLabel()));
    const people = await Promise.all(Array.from({ length: 10 }, newPerson));
    const ids = labels.map(({ id }) => id);
    // Link in the opposite order for every other label, so that deletions in link order would deadlock.
    for (const [index, id] of ids.entries()) {
      for (const memberId of index % 2 === 0 ? people : people.toReversed()) {
        await label(memberId, ids.slice(0, index).concat(id));
      }
    }

    const answers = await Promise.all(labels.map(({ id }) => asAdmin('DELETE', `/member-labels/${id}`)));

    expect(answers.map(({ status }) => status)).toEqual(labels.map(() => 204));
    for (const memberId of people) expect(await slugsOf(memberId)).toEqual([]);
  });
});
