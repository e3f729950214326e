import { beforeAll, describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addRole, createWorkspace, randomTag } from '../../../support/workspace/factories.js';

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
const typeBody = () => ({ name: 'Intake', slug: `intake-${randomTag()}`, isCollection: false, fields });
const newType = async (): Promise<{ id: number }> => (await asAdmin('POST', '/data-types', typeBody())).body;

describeAccess(
  () => ({ api, workspace, otherWorkspace }),
  ['list', 'create', 'get', 'update', 'delete'],
  () => {
    const one = `/data-types/${accessTypeId}`;
    const scope = 'datatypes:write';
    return [
      { method: 'GET', path: '/data-types', scope: 'datatypes:read', writes: false, namesItem: false },
      { method: 'POST', path: '/data-types', scope, writes: true, body: typeBody(), namesItem: false },
      { method: 'GET', path: one, scope: 'datatypes:read', writes: false, namesItem: true },
      { method: 'PUT', path: one, scope, writes: true, body: { name: 'B' }, namesItem: true },
      { method: 'DELETE', path: one, scope, writes: true, namesItem: true },
    ];
  },
);

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
    [
      'a field type that does not exist',
      { fields: [{ slug: 'a', name: 'A', fieldType: 'colour' }] },
      ['/fields/0/fieldType'],
    ],
    ['two fields of one slug', { fields: [fields[0], fields[0]] }, ['/fields/1/slug']],
    [
      'options on a text',
      { fields: [{ slug: 'a', name: 'A', fieldType: 'text', options: ['x'] }] },
      ['/fields/0/options'],
    ],
    [
      'an unknown field property',
      { fields: [{ slug: 'a', name: 'A', fieldType: 'text', colour: 'red' }] },
      ['/fields/0/colour'],
    ],
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
  it('returns sorted pages', async () => {
    const place = await createWorkspace(workspace.database);
    const asPlaceAdmin = callAs(api, place, place.admin);
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
});

describe('changing a data type', () => {
  it('renames the type and replaces its fields while it has no conflicting records', async () => {
    const { id } = await newType();
    const changed = { name: 'Renamed', fields: [{ slug: 'age', name: 'Age', fieldType: 'integer', min: 0 }] };

    expect(await asAdmin('PUT', `/data-types/${id}`, changed)).toMatchObject({ status: 200, body: changed });
  });

  it('accepts new optional fields for a type with records', async () => {
    const { id } = await newType();
    await asAdmin('POST', `/data-types/${id}/records`, { fieldValues: { reason: 'Cough' } });
    const more = { fields: [...fields, { slug: 'age', name: 'Age', fieldType: 'integer' }] };

    expect(await asAdmin('PUT', `/data-types/${id}`, more)).toMatchObject({ status: 200, body: more });
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
      await as(member)('POST', `/data-types/${id}/records`, {
        fieldValues: { reason: 'Cough' },
      });
    }

    const answer = await asAdmin('PUT', `/data-types/${id}`, { fields: changed });

    expect(answer).toMatchObject({ status: 400, body: { code: 'records_would_break' } });
    expect(pointersOf(answer.body)).toEqual(['/fields']);
    expect(answer.body.detail).toContain('2 records');
  });

  it('is refused for a pattern that takes too long on the existing records', async () => {
    const { id } = await newType();
    const records = Array.from({ length: 100 }, () => ({ fieldValues: { reason: 'a'.repeat(256) } }));
    await asAdmin('POST', `/data-types/${id}/records/bulk`, { records });

    const changed = fields.map((field) =>
      field.slug === 'reason' ? { ...field, pattern: '.*.*a*' } : field,
    );
    const answer = await asAdmin('PUT', `/data-types/${id}`, { fields: changed });
    const costly = fields.map((field) =>
      field.slug === 'reason' ? { ...field, pattern: 'a*a*a{0,100}b' } : field,
    );
    const refused = await asAdmin('PUT', `/data-types/${id}`, { fields: costly });

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

    const refused = await asAdmin('PUT', `/data-types/${id}`, changed);
    expect(refused).toMatchObject({ status: 400, body: { code: 'records_would_break' } });
    expect(refused.body.detail).toContain('1 records');

    await asAdmin('PUT', `${path}/${record.id}`, { fieldValues: { reason: stored } });
    expect((await asAdmin('PUT', `/data-types/${id}`, changed)).status).toBe(200);
    const found = await asAdmin('GET', path, undefined, { filter: `reason:eq:${stored}` });
    expect(found.body.total).toBe(1);
  });

  it('refuses changes of slug and isCollection', async () => {
    const { id } = await newType();

    expect(pointersOf((await asAdmin('PUT', `/data-types/${id}`, { slug: 'x' })).body)).toEqual(['/slug']);
    expect(pointersOf((await asAdmin('PUT', `/data-types/${id}`, { isCollection: true })).body)).toEqual([
      '/isCollection',
    ]);
  });

  it('refuses invalid field definitions', async () => {
    const { id } = await newType();
    const answer = await asAdmin('PUT', `/data-types/${id}`, {
      fields: [{ slug: 'a', name: 'A', fieldType: 'select', options: [] }],
    });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/fields/0/options']]);
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
