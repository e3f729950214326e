import { beforeAll, describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMemberRow, addRole, createWorkspace, randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin } = useApi();
let accessTypeId: number;

beforeAll(async () => {
  accessTypeId = (await newType()).id;
});

const fields = [
  { slug: 'reason', name: 'Reason', fieldType: 'text', required: true, shouldIndex: true },
  { slug: 'contact', name: 'Contact', fieldType: 'phone' },
  {
    slug: 'mood',
    name: 'Mood',
    fieldType: 'select',
    options: ['good', { value: 'bad', label: 'Not so good' }],
  },
];
/** What a request about a type with this one field holds. */
const ofField = (fieldType: string, rules: object = {}) => ({
  fields: [{ slug: 'a', name: 'A', fieldType, ...rules }],
});
const typeBody = () => ({ name: 'Intake', slug: `intake-${randomTag()}`, isCollection: false, fields });
const newType = async (): Promise<{ id: number }> => (await asAdmin('POST', '/data-types', typeBody())).body;
const change = (id: number, body: object) => asAdmin('PUT', `/data-types/${id}`, body);
/** A collection with these fields, and where its records are called. */
const newCollection = async (of: object[]): Promise<{ id: number; path: string }> => {
  const { status, body } = await asAdmin('POST', '/data-types', {
    ...typeBody(),
    isCollection: true,
    fields: of,
  });
  expect([status, body.detail]).toEqual([201, undefined]);
  return { id: body.id, path: `/data-types/${body.id}/records` };
};

describeAccess({ api, workspace, otherWorkspace }, ['list', 'create', 'get', 'update', 'delete'], () => {
  const one = `/data-types/${accessTypeId}`;
  const scope = 'datatypes:write';
  return [
    { method: 'GET', path: '/data-types', scope: 'datatypes:read', needsPermission: false, namesItem: false },
    { method: 'POST', path: '/data-types', scope, needsPermission: true, body: typeBody(), namesItem: false },
    { method: 'GET', path: one, scope: 'datatypes:read', needsPermission: false, namesItem: true },
    { method: 'PUT', path: one, scope, needsPermission: true, body: { name: 'B' }, namesItem: true },
    { method: 'DELETE', path: one, scope, needsPermission: true, namesItem: true },
  ];
});

describe('creating a data type', () => {
  it('stores the fields as given', async () => {
    const body = typeBody();

    const answer = await asAdmin('POST', '/data-types', body);

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...body,
      id: expect.any(Number),
      uuid: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await asAdmin('GET', `/data-types/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it.each([
    ['a missing slug', { slug: undefined }, ['/slug']],
    ['a slug with a space', { slug: 'two words' }, ['/slug']],
    ['a field type that does not exist', ofField('colour'), ['/fields/0/fieldType']],
    ['two fields of one slug', { fields: [fields[0], fields[0]] }, ['/fields/1/slug']],
    ['options on a text', ofField('text', { options: ['x'] }), ['/fields/0/options']],
    ['an unknown field property', ofField('text', { colour: 'red' }), ['/fields/0/colour']],
    ['an index on a json field', ofField('json', { shouldIndex: true }), ['/fields/0/shouldIndex']],
    ['isCollection that is no boolean', { isCollection: 'no' }, ['/isCollection']],
  ])('refuses %s', async (_, change, pointers) => {
    const answer = await asAdmin('POST', '/data-types', { ...typeBody(), ...change });
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual(pointers);
  });

  it('gives a slug to one of twenty concurrent requests', async () => {
    const body = typeBody();

    const answers = await Promise.all(Array.from({ length: 20 }, () => asAdmin('POST', '/data-types', body)));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status !== 201) expect([status, pointersOf(body)]).toEqual([400, ['/slug']]);
    }
  });
});

describe('listing data types', () => {
  const newPlace = async () => {
    const place = await createWorkspace(workspace.database);
    return callAs(api, place, place.admin);
  };

  it('returns sorted pages', async () => {
    const asPlaceAdmin = await newPlace();
    for (const slug of ['visits', 'allergies', 'notes']) {
      await asPlaceAdmin('POST', '/data-types', { ...typeBody(), slug });
    }

    const answer = await asPlaceAdmin('GET', '/data-types', undefined, { sortBy: 'slug', pageSize: 2 });

    expect(answer.body).toMatchObject({
      total: 3,
      totalPages: 2,
      items: [{ slug: 'allergies' }, { slug: 'notes' }],
    });
  });

  it('finds types by part of the name or slug, whole slug and kind', async () => {
    const asReader = await newPlace();
    for (const [name, slug, isCollection] of [
      ['Intake form', 'intake', false],
      ['Visits', 'visits', true],
      ['100% sure', 'sure_thing', true],
    ]) {
      await asReader('POST', '/data-types', { name, slug, isCollection, fields: [] });
    }
    const list = async (query: string) =>
      (await asReader('GET', `/data-types?${query}`)).body.items.map(({ slug }: { slug: string }) => slug);

    expect(await list('search=FORM')).toEqual(['intake']);
    expect(await list('search=vis')).toEqual(['visits']);
    expect(await list('search=%25')).toEqual(['sure_thing']);
    expect(await list('search=e_t')).toEqual(['sure_thing']);
    expect(await list('slug=intake')).toEqual(['intake']);
    expect(await list('slug=in')).toEqual([]);
    expect(await list('isCollection=true&sortBy=slug')).toEqual(['sure_thing', 'visits']);
  });
});

describe('changing a data type', () => {
  it('renames the type and replaces its fields while it has no conflicting records', async () => {
    const { id } = await newType();
    const changed = { name: 'Renamed', fields: [{ slug: 'age', name: 'Age', fieldType: 'integer', min: 0 }] };
    expect(await change(id, changed)).toMatchObject({ status: 200, body: changed });
  });

  it('accepts new optional fields for a type with records', async () => {
    const { id } = await newType();
    await asAdmin('POST', `/data-types/${id}/records`, { fieldValues: { reason: 'Cough' } });
    const more = { fields: [...fields, { slug: 'age', name: 'Age', fieldType: 'integer' }] };
    expect(await change(id, more)).toMatchObject({ status: 200, body: more });
  });

  it.each([
    ['a field with values is taken away', fields.slice(1)],
    ['the type of a field no longer fits', [{ slug: 'reason', name: 'Reason', fieldType: 'date' }]],
    [
      'a new field is required',
      [...fields, { slug: 'age', name: 'Age', fieldType: 'integer', required: true }],
    ],
  ])('is refused with the number of conflicting records when %s', async (_, changed) => {
    const { id } = await newType();
    for (const member of [workspace.admin, workspace.member]) {
      await as(member)('POST', `/data-types/${id}/records`, { fieldValues: { reason: 'Cough' } });
    }

    const answer = await change(id, { fields: changed });

    expect(answer).toMatchObject({ status: 400, body: { code: 'records_would_break' } });
    expect(pointersOf(answer.body)).toEqual(['/fields']);
    expect(answer.body.detail).toContain('2 records');
  });

  it('is refused for a pattern that takes too long on the existing records', async () => {
    const { id } = await newType();
    const records = Array.from({ length: 100 }, () => ({ fieldValues: { reason: 'a'.repeat(256) } }));
    await asAdmin('POST', `/data-types/${id}/records/bulk`, { records });

    const withPattern = (pattern: string) =>
      change(id, { fields: [{ ...fields[0], pattern }, ...fields.slice(1)] });
    const answer = await withPattern('.*.*a*');
    const refused = await withPattern('a*a*a{0,100}b');

    expect(answer.status).toBe(200);
    expect(refused).toMatchObject({ status: 400, body: { code: 'records_would_break' } });
    expect(refused.body.detail).toContain('pattern takes too long');
  });

  it.each([
    ['phone', '(202) 555-0123', '+12025550123'],
    ['email', 'Robin@Example.com', 'robin@example.com'],
    ['datetime', '2030-01-01T12:00:00+02:00', '2030-01-01T10:00:00.000Z'],
  ])('to %s is refused until the stored texts have the normalised form', async (fieldType, text, stored) => {
    const { id } = await newType();
    const path = `/data-types/${id}/records`;
    const record = (await asAdmin('POST', path, { fieldValues: { reason: text } })).body;
    const changed = { fields: [{ slug: 'reason', name: 'Reason', fieldType, shouldIndex: true }] };

    const refused = await change(id, changed);
    expect(refused).toMatchObject({ status: 400, body: { code: 'records_would_break' } });
    expect(refused.body.detail).toContain('1 records');

    await asAdmin('PUT', `${path}/${record.id}`, { fieldValues: { reason: stored } });
    expect((await change(id, changed)).status).toBe(200);
    const found = await asAdmin('GET', path, undefined, { filter: `reason:eq:${stored}` });
    expect(found.body.total).toBe(1);
  });

  it('refuses changes of slug and isCollection', async () => {
    const { id } = await newType();

    for (const [name, value] of Object.entries({ slug: 'x', isCollection: true })) {
      expect(pointersOf((await change(id, { [name]: value })).body)).toEqual([`/${name}`]);
    }
  });

  it('refuses invalid field definitions', async () => {
    const { id } = await newType();
    const answer = await change(id, ofField('select', { options: [] }));
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/fields/0/options']]);
  });
});

const storedOf = (id: number) =>
  workspace.within(async (tx) => {
    const rows: { field: string; text_value: string | null; number_value: number | null }[] = await tx(
      'data_record_values',
    )
      .where({ data_type_id: id })
      .orderByRaw('record_id, field, text_value, number_value');
    return rows.map((row) => [row.field, row.text_value ?? row.number_value]);
  });

describe('a change of the indexed fields of a data type', () => {
  const name = { slug: 'name', name: 'Name', fieldType: 'text' };
  const size = { slug: 'size', name: 'Size', fieldType: 'text', shouldIndex: true };

  it('makes records searchable by the new fields only', async () => {
    const { id, path } = await newCollection([name, size]);
    for (const more of [{}, { size: '1' }, { size: '2' }]) {
      await asAdmin('POST', path, { fieldValues: { name: `Box ${more.size ?? 0}`, ...more } });
    }
    expect((await asAdmin('GET', `${path}?filter=name:eq:box%201`)).status).toBe(400);

    const indexed = { ...name, shouldIndex: true };
    expect((await change(id, { fields: [indexed, size] })).status).toBe(200);
    expect((await asAdmin('GET', `${path}?filter=name:eq:box%201`)).body.total).toBe(1);
    expect((await asAdmin('GET', `${path}?search=box%202`)).body.total).toBe(1);

    const unindexed = { ...size, shouldIndex: false };
    expect((await change(id, { fields: [indexed, unindexed] })).status).toBe(200);
    expect((await asAdmin('GET', `${path}?search=2`)).body.total).toBe(1);
    expect(await storedOf(id)).toEqual(
      [0, 1, 2].flatMap((index) => [
        ['', `${index}`],
        ['', 'box'],
        ['name', `box ${index}`],
      ]),
    );

    expect((await change(id, { fields: [name, unindexed] })).status).toBe(200);
    expect(await storedOf(id)).toEqual([]);
  });

  it('compares values by their new field type', async () => {
    const choice = { ...size, fieldType: 'select' };
    const { id, path } = await newCollection([choice]);
    for (const value of ['10', '9']) await asAdmin('POST', path, { fieldValues: { size: value } });
    expect((await asAdmin('GET', `${path}?search=9`)).body.total).toBe(1);

    const fields = [{ ...choice, shouldIndex: false }];
    expect((await change(id, { fields })).status).toBe(200);
    const again = [{ ...choice, fieldType: 'text' }];
    expect((await change(id, { fields: again })).status).toBe(200);

    expect((await asAdmin('GET', `${path}?filter=size:eq:10`)).body.total).toBe(1);
  });

  it('keeps the stored values if it is refused', async () => {
    const { id, path } = await newCollection([size]);
    await asAdmin('POST', path, { fieldValues: { size: 'big' } });
    const before = await storedOf(id);

    const answer = await change(id, { fields: [{ ...size, fieldType: 'number' }] });

    expect(answer).toMatchObject({ status: 400, body: { code: 'records_would_break' } });
    expect(await storedOf(id)).toEqual(before);
  });

  it('covers more records than one batch', async () => {
    const { id, path } = await newCollection([name]);
    await workspace.within((tx) =>
      tx.raw(
        `insert into data_records (workspace_id, data_type_id, member_id, is_single, field_values)
         select ?, ?, ?, false, jsonb_build_object('name', 'Box ' || i) from generate_series(1, 450) as i`,
        [workspace.workspaceId, id, workspace.admin.memberId],
      ),
    );

    expect((await change(id, { fields: [{ ...name, unique: true }] })).status).toBe(200);
    expect((await asAdmin('GET', `${path}?search=box`)).body.total).toBe(450);
    expect((await asAdmin('GET', `${path}?filter=name:eq:box%20449`)).body.total).toBe(1);
  });
});

describe('a record field that refers to a member or file', () => {
  const fields = [
    { slug: 'guardian', name: 'Guardian', fieldType: 'member', shouldIndex: true },
    { slug: 'scan', name: 'Scan', fieldType: 'file' },
  ];

  it('requires the target to exist', async () => {
    const { path } = await newCollection(fields);
    const other = await createWorkspace(workspace.database);
    const { memberId } = workspace.member;
    const post = (fieldValues: object) => asAdmin('POST', path, { fieldValues });

    expect((await post({ guardian: memberId })).status).toBe(201);
    for (const id of [other.admin.memberId, 2 ** 53 - 1]) {
      const answer = await post({ guardian: id });
      expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/fieldValues/guardian']]);
    }
    const answer = await post({ guardian: memberId, scan: 1 });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/fieldValues/scan']]);
    expect((await asAdmin('GET', `${path}?filter=guardian:eq:${memberId}`)).body.total).toBe(1);
  });

  it('may keep a deleted target, but cannot be set to one', async () => {
    const { path } = await newCollection(fields);
    const guardian = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    const { id } = (await asAdmin('POST', path, { fieldValues: { guardian: guardian.id } })).body;
    const empty = (await asAdmin('POST', path, { fieldValues: {} })).body.id;
    expect((await asAdmin('DELETE', `/members/${guardian.id}`)).status).toBeLessThan(300);

    const fieldValues = { guardian: guardian.id };
    expect((await asAdmin('PUT', `${path}/${id}`, { fieldValues })).status).toBe(200);
    expect((await asAdmin('PUT', `${path}/${empty}`, { fieldValues })).status).toBe(400);
  });
});

describe('deleting a data type', () => {
  it('removes a type without records', async () => {
    const { id } = await newType();
    expect((await asAdmin('DELETE', `/data-types/${id}`)).status).toBe(204);
    expect((await asAdmin('GET', `/data-types/${id}`)).status).toBe(404);
  });

  it('returns 409 while the type has records', async () => {
    const { id } = await newType();
    await asAdmin('POST', `/data-types/${id}/records`, { fieldValues: { reason: 'Cough' } });

    const answer = await asAdmin('DELETE', `/data-types/${id}`);

    expect(answer).toMatchObject({ status: 409, body: { code: 'data_type_in_use' } });
  });

  it('removes the permissions for the type from roles, so that a later type with its slug is not readable', async () => {
    const { id, slug } = (await asAdmin('POST', '/data-types', typeBody())).body;
    const other = (await asAdmin('POST', '/data-types', typeBody())).body.slug;
    const kept = ['chats:read', 'data:read', `data:read:${other}`];
    const role = await addRole(workspace, {
      permissions: [...kept, `data:read:${slug}`, `data:write:${slug}`],
    });

    await asAdmin('DELETE', `/data-types/${id}`);

    const after = (await asAdmin('GET', `/member-roles/${role.id}`)).body;
    expect(after.permissions).toEqual(kept);
    expect((await asAdmin('PUT', `/member-roles/${role.id}`, { permissions: kept })).status).toBe(200);
  });

  it('leaves no permission behind when a role gains it concurrently', async () => {
    const { id, slug } = (await asAdmin('POST', '/data-types', typeBody())).body;
    const permissions = [`data:read:${slug}`];
    const role = await addRole(workspace);

    const answers = await Promise.all([
      asAdmin('PUT', `/member-roles/${role.id}`, { permissions }),
      asAdmin('POST', '/member-roles', { name: `Role ${randomTag()}`, permissions }),
      asAdmin('DELETE', `/data-types/${id}`),
      asAdmin('POST', '/member-roles', { name: `Role ${randomTag()}`, permissions }),
    ]);

    for (const { status } of answers) expect([200, 201, 204, 400]).toContain(status);
    const roles: { permissions: string[] }[] = (await asAdmin('GET', '/member-roles')).body;
    expect(roles.filter((one) => one.permissions.includes(permissions[0] as string))).toEqual([]);
  });
});

it('limits a workspace to 200 data types, also for concurrent requests', async () => {
  const full = await createWorkspace(workspace.database);
  await workspace.database.inWorkspace(full.workspaceId, async (tx) => {
    await tx.raw(
      `insert into data_types (workspace_id, name, slug, is_collection, fields)
       select ?, 'Sample', 'sample-' || number, false, '[]' from generate_series(1, 199) number`,
      [full.workspaceId],
    );
  });
  const create = () => callAs(api, full, full.admin)('POST', '/data-types', typeBody());

  const answers = await Promise.all(Array.from({ length: 10 }, create));

  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('too_many_data_types');
});
