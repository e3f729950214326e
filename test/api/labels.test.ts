import { beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../api/http/schemas.js';
import type { Scope } from '../../domain/kernel/scopes.js';
import { describeAccess } from '../support/api/access-cases.js';
import { pointersOf } from '../support/api/call-as.js';
import { useApi } from '../support/api/use-api.js';
import { createWorkspace, randomTag } from '../support/workspace/factories.js';

interface Label {
  id: number;
  slug: string;
}

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();
const asStranger = () => as(otherWorkspace.admin, otherWorkspace);
const member = { name: 'Someone' };
const chat = { channel: 'web-chat' };

function uploadFile() {
  const multipart = new FormData();
  multipart.append('file', new Blob(['Drink enough water.']), 'leaflet.txt');
  return api.request('POST', workspace.path('/files'), { apiKey: workspace.admin.apiKey, multipart });
}

const kinds = [
  {
    kind: 'member',
    reading: 'members:read' as Scope,
    writing: 'roles:write' as Scope,
    /** What a label has besides id, uuid, name, slug and colour. */
    extra: {},
    changedExtra: {},
    extraByDefault: {},
    orderByDefault: ['100% sure', 'Call back', 'Billing'],
    newOwner: () => asAdmin('POST', '/members', member),
    unchanged: member,
    change: { name: 'Never' },
    unknown: 'There is no such member label.',
  },
  {
    kind: 'chat',
    reading: 'chats:read' as Scope,
    writing: 'workspace:write' as Scope,
    extra: { description: 'Today' },
    changedExtra: { description: 'Soon' },
    extraByDefault: { description: '' },
    orderByDefault: ['100% sure', 'Billing', 'Call back'],
    newOwner: () => asMember('POST', '/chats', chat),
    unchanged: { title: null },
    change: { title: 'Never' },
    unknown: 'names no chat label',
  },
  {
    kind: 'file',
    reading: 'files:read' as Scope,
    writing: 'files:write' as Scope,
    extra: { description: 'Given after visits' },
    changedExtra: { description: 'Given before visits' },
    extraByDefault: { description: '' },
    orderByDefault: ['100% sure', 'Billing', 'Call back'],
    newOwner: uploadFile,
    unchanged: { description: null },
    change: { description: 'Never' },
    unknown: 'names no file label',
  },
];

describe.each(kinds)('$kind labels', (of) => {
  const { kind, reading, writing, extra, changedExtra } = of;
  const path = `/${kind}-labels`;
  const labelBody = () => ({ name: 'Urgent', slug: `urgent-${randomTag()}`, color: '#cc0000', ...extra });
  const newLabel = async (body: object = labelBody()): Promise<Label> =>
    (await asAdmin('POST', path, body)).body;
  const newLabels = (length: number) => Promise.all(Array.from({ length }, () => newLabel()));
  const newOwner = async (): Promise<number> => (await of.newOwner()).body.id;
  /** One after another: a member's uploads at once are bounded. */
  const newOwners = async () => {
    const ids: number[] = [];
    while (ids.length < 10) ids.push(await newOwner());
    return ids;
  };
  const owner = (id: number) => `/${kind}s/${id}`;
  const label = (ownerId: number, labelIds: unknown) => asAdmin('PUT', owner(ownerId), { labelIds });
  /** What of a refusal matters here: its status and the fields that it points to. */
  const refusal = async (asking: Promise<{ status: number; body: Problem }>) => {
    const { status, body } = await asking;
    return [status, pointersOf(body)];
  };
  const slugsOf = async (ownerId: number): Promise<string[]> =>
    (await asAdmin('GET', owner(ownerId))).body.labels.map(({ slug }: Label) => slug);

  let accessLabelId: number;
  beforeAll(async () => {
    accessLabelId = (await newLabel()).id;
  });
  describeAccess({ api, workspace, otherWorkspace }, ['list', 'create', 'get', 'update', 'delete'], () => {
    const one = `${path}/${accessLabelId}`;
    return [
      { method: 'GET', path, scope: reading, needsPermission: false, namesItem: false },
      { method: 'POST', path, scope: writing, needsPermission: true, body: labelBody(), namesItem: false },
      { method: 'GET', path: one, scope: reading, needsPermission: false, namesItem: true },
      {
        method: 'PUT',
        path: one,
        scope: writing,
        needsPermission: true,
        body: { name: 'B' },
        namesItem: true,
      },
      { method: 'DELETE', path: one, scope: writing, needsPermission: true, namesItem: true },
    ];
  });

  it('are stored with the given fields and a lower-case colour', async () => {
    const body = { ...labelBody(), color: '#CC00aa' };

    const answer = await asAdmin('POST', path, body);

    expect(answer).toMatchObject({ status: 201, body: { ...body, color: '#cc00aa' } });
    const fields = ['color', ...Object.keys(extra), 'id', 'name', 'slug', 'uuid'];
    expect(Object.keys(answer.body).sort()).toEqual(fields);
    expect((await asMember('GET', `${path}/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it('have a slug derived from the name and a grey colour by default', async () => {
    const tag = randomTag();
    const { body } = await asAdmin('POST', path, { name: ` Rückruf: morgen ${tag}! ` });
    const defaults = { color: '#808080', ...of.extraByDefault };
    expect(body).toMatchObject({ slug: `ruckruf-morgen-${tag}`, ...defaults });
  });

  it.each([
    ['no name', { name: undefined }, ['/name']],
    ['a blank name', { name: '  ' }, ['/name']],
    ['a slug with a space', { slug: 'two words' }, ['/slug']],
    ['a slug in capitals', { slug: 'Urgent' }, ['/slug']],
    ['a slug with a comma', { slug: 'one,two' }, ['/slug']],
    ['a name no slug can be made of', { name: '緊急', slug: undefined }, ['/slug']],
    ['a colour by its name', { color: 'red' }, ['/color']],
    ['a short colour', { color: '#c00' }, ['/color']],
    ['an unknown field', { colour: '#cc0000' }, ['/colour']],
  ])('are refused with %s', async (_what, change, pointers) => {
    expect(await refusal(asAdmin('POST', path, { ...labelBody(), ...change }))).toEqual([400, pointers]);
  });

  it('give a slug to one of twenty concurrent requests', async () => {
    const body = labelBody();

    const answers = await Promise.all(Array.from({ length: 20 }, () => asAdmin('POST', path, body)));

    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(19);
    for (const { body } of refused) expect([body.code, pointersOf(body)]).toEqual(['duplicate', ['/slug']]);
  });

  it('may have the slug of a label of another workspace', async () => {
    const { slug } = await newLabel();
    expect((await asStranger()('POST', path, { name: 'Theirs', slug })).status).toBe(201);
  });

  it('are listed in pages, searched literally by parts of name and slug', async () => {
    const place = await createWorkspace(workspace.database);
    const inPlace = as(place.admin, place);
    for (const name of ['100% sure', 'Call back', 'Billing']) await inPlace('POST', path, { name });

    const names = async (query: Record<string, string | number>) =>
      (await inPlace('GET', path, undefined, query)).body.items.map(({ name }: { name: string }) => name);

    expect(await names({})).toEqual(of.orderByDefault);
    expect(await names({ sortBy: 'name' })).toEqual(['100% sure', 'Billing', 'Call back']);
    expect(await names({ search: '0%' })).toEqual(['100% sure']);
    expect(await names({ search: '_' })).toEqual([]);
    expect(await names({ search: 'call-b' })).toEqual(['Call back']);
    expect(await names({ pageSize: 1, page: 2, sortBy: 'slug', sortOrder: 'desc' })).toEqual(['Billing']);
    if (kind !== 'member') return;
    expect(await names({ slug: 'call-back' })).toEqual(['Call back']);
    expect(await names({ slug: 'call' })).toEqual([]);
  });

  it(`change on the ${kind}s that have them`, async () => {
    const { id } = await newLabel();
    const ownerId = await newOwner();
    await label(ownerId, [id]);
    const change = { name: 'Later', slug: `later-${randomTag()}`, color: '#00ff00', ...changedExtra };

    const answer = await asAdmin('PUT', `${path}/${id}`, { ...change, color: '#00FF00' });

    expect(answer).toMatchObject({ status: 200, body: change });
    const { labels } = (await asAdmin('GET', owner(ownerId))).body;
    if (kind !== 'member') expect(labels).toMatchObject([{ id, ...change }]);
    else expect(labels).toEqual([{ id, name: change.name, slug: change.slug }]);
  });

  it('keep omitted fields when they are changed', async () => {
    const body = labelBody();
    const { id } = await newLabel(body);
    for (const change of [{}, { slug: body.slug }])
      expect(await asAdmin('PUT', `${path}/${id}`, change)).toMatchObject({ status: 200, body });
  });

  it('cannot get the slug of another label', async () => {
    const [one, two] = [await newLabel(), await newLabel()];
    expect(await refusal(asAdmin('PUT', `${path}/${one.id}`, { slug: two.slug }))).toEqual([400, ['/slug']]);
  });

  it(`of a ${kind} must belong to the workspace, otherwise nothing of the request is applied`, async () => {
    const foreign = await asStranger()('POST', path, labelBody());
    const { id } = await newLabel();
    const ownerId = await newOwner();
    const labelIds = [id, foreign.body.id, 987_654_321];
    const pointers = ['/labelIds/1', '/labelIds/2'];

    expect(await refusal(asAdmin('PUT', owner(ownerId), { ...of.change, labelIds }))).toEqual([
      400,
      pointers,
    ]);
    expect((await asAdmin('GET', owner(ownerId))).body).toMatchObject({ ...of.unchanged, labels: [] });
    if (kind !== 'member') return;
    const creating = asAdmin('POST', '/members', { name: 'Never', labelIds });
    expect(await refusal(creating)).toEqual([400, pointers]);
  });

  it(`are removed from a ${kind} when they are deleted, and the ${kind} stays`, async () => {
    const [gone, kept] = [await newLabel(), await newLabel()];
    const ownerId = await newOwner();
    await label(ownerId, [gone.id, kept.id]);

    expect((await asAdmin('DELETE', `${path}/${gone.id}`)).status).toBe(204);

    expect(await slugsOf(ownerId)).toEqual([kept.slug]);
    expect((await asAdmin('GET', `${path}/${gone.id}`)).status).toBe(404);
  });

  it('are gone for every reader once they are deleted, and their slug is free', async () => {
    const [gone, kept] = [await newLabel(), await newLabel()];
    const ownerId = await newOwner();
    await label(ownerId, [gone.id, kept.id]);
    await asAdmin('DELETE', `${path}/${gone.id}`);
    const found = async (query: Record<string, string | number>) =>
      (await asAdmin('GET', `/${kind}s`, undefined, query)).body.items.map(({ id }: { id: number }) => id);
    const byId = kind === 'member' ? 'memberLabelId' : 'labelId';

    expect(await found({ [byId]: gone.id })).toEqual([]);
    expect(await found({ [byId]: kept.id })).toEqual([ownerId]);
    if (kind === 'member') expect(await found({ memberLabel: gone.slug })).toEqual([]);
    expect((await asAdmin('GET', path, undefined, { search: gone.slug })).body.items).toEqual([]);
    expect(await refusal(label(ownerId, [gone.id]))).toEqual([400, ['/labelIds/0']]);
    expect((await asAdmin('PUT', `${path}/${gone.id}`, { name: 'Again' })).status).toBe(404);
    expect((await asAdmin('DELETE', `${path}/${gone.id}`)).status).toBe(404);

    const again = await asAdmin('POST', path, { ...labelBody(), slug: gone.slug });
    expect(again.status).toBe(201);
    expect(await found({ [byId]: again.body.id })).toEqual([]);
    if (kind !== 'member') return;
    expect(await found({ memberLabel: gone.slug })).toEqual([]);
    const csv = await api.request('GET', workspace.path('/members/export'), {
      apiKey: workspace.admin.apiKey,
    });
    expect(JSON.stringify(csv)).not.toContain(gone.slug);
  });

  it('stay consistent when a label is deleted while fifty requests assign it', async () => {
    const [gone, kept] = [await newLabel(), await newLabel()];
    const owners = await newOwners();
    await Promise.all(owners.map((ownerId) => label(ownerId, [gone.id])));

    const answers = await Promise.all([
      ...owners.flatMap((ownerId) => [
        label(ownerId, [kept.id, gone.id]),
        label(ownerId, [kept.id]),
        label(ownerId, [gone.id, kept.id]),
        label(ownerId, [gone.id]),
        kind !== 'member'
          ? label(ownerId, [kept.id])
          : asAdmin('POST', '/members', { name: 'New', labelIds: [gone.id] }),
      ]),
      asAdmin('DELETE', `${path}/${gone.id}`),
    ]);

    const allowed = kind !== 'member' ? [200, 204, 400] : [200, 201, 204, 400];
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => !allowed.includes(status))).toEqual([]);
    for (const { body } of answers.filter(({ status }) => status === 400)) {
      expect(body.detail).toContain(of.unknown);
    }
    for (const ownerId of owners) expect(await slugsOf(ownerId)).not.toContain(gone.slug);
  });

  it(`stay consistent when labels with common ${kind}s are deleted at once`, async () => {
    const labels = await newLabels(10);
    const owners = await newOwners();
    const ids = labels.map(({ id }) => id);
    // Link in the opposite order for every other label, so that deletions in link order would deadlock.
    for (const [index, id] of ids.entries()) {
      for (const ownerId of index % 2 === 0 ? owners : owners.toReversed()) {
        await label(ownerId, ids.slice(0, index).concat(id));
      }
    }

    const answers = await Promise.all(ids.map((id) => asAdmin('DELETE', `${path}/${id}`)));

    expect(answers.map(({ status }) => status)).toEqual(labels.map(() => 204));
    for (const ownerId of owners) expect(await slugsOf(ownerId)).toEqual([]);
  });

  it(`of a ${kind} are replaced by the given labels`, async () => {
    const [one, two, three] = [await newLabel(), await newLabel(), await newLabel()];
    const ownerId = await newOwner();

    await label(ownerId, [one.id, two.id]);
    expect((await slugsOf(ownerId)).sort()).toEqual([one.slug, two.slug].sort());
    // Members refuse repeated ids.
    const answer = await label(
      ownerId,
      kind !== 'member' ? [two.id, three.id, three.id] : [two.id, three.id],
    );

    expect(answer.body.labels.map(({ slug }: Label) => slug).sort()).toEqual([two.slug, three.slug].sort());
    await asAdmin('PUT', owner(ownerId), of.change);
    expect(await slugsOf(ownerId)).toHaveLength(2);
    expect((await label(ownerId, [])).body.labels).toEqual([]);
  });
});
