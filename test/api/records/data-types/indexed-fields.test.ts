import { describe, expect, it } from 'vitest';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMemberRow, createWorkspace, randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, asAdmin } = useApi();

async function newType(fields: object[]): Promise<{ id: number; path: string }> {
  const body = { name: 'Things', slug: `things-${randomTag()}`, isCollection: true, fields };
  const answer = await asAdmin('POST', '/data-types', body);
  expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
  return { id: answer.body.id, path: `/data-types/${answer.body.id}/records` };
}

const storedOf = (id: number) =>
  workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
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
    const { id, path } = await newType([name, size]);
    for (let index = 0; index < 3; index += 1) {
      await asAdmin('POST', path, {
        fieldValues: { name: `Box ${index}`, ...(index === 0 ? {} : { size: `${index}` }) },
      });
    }
    expect((await asAdmin('GET', `${path}?filter=name:eq:box%201`)).status).toBe(400);

    const indexed = { ...name, shouldIndex: true };
    expect((await asAdmin('PUT', `/data-types/${id}`, { fields: [indexed, size] })).status).toBe(200);
    expect((await asAdmin('GET', `${path}?filter=name:eq:box%201`)).body.total).toBe(1);
    expect((await asAdmin('GET', `${path}?search=box%202`)).body.total).toBe(1);

    expect(
      (await asAdmin('PUT', `/data-types/${id}`, { fields: [indexed, { ...size, shouldIndex: false }] }))
        .status,
    ).toBe(200);
    expect((await asAdmin('GET', `${path}?search=2`)).body.total).toBe(1);
    expect(await storedOf(id)).toEqual(
      [0, 1, 2].flatMap((index) => [
        ['', `${index}`],
        ['', 'box'],
        ['name', `box ${index}`],
      ]),
    );

    expect(
      (await asAdmin('PUT', `/data-types/${id}`, { fields: [name, { ...size, shouldIndex: false }] })).status,
    ).toBe(200);
    expect(await storedOf(id)).toEqual([]);
  });

  it('compares values by their new field type', async () => {
    const choice = { ...size, fieldType: 'select' };
    const { id, path } = await newType([choice]);
    for (const value of ['10', '9']) await asAdmin('POST', path, { fieldValues: { size: value } });
    expect((await asAdmin('GET', `${path}?search=9`)).body.total).toBe(1);

    const fields = [{ ...choice, shouldIndex: false }];
    expect((await asAdmin('PUT', `/data-types/${id}`, { fields })).status).toBe(200);
    const again = [{ ...choice, fieldType: 'text' }];
    expect((await asAdmin('PUT', `/data-types/${id}`, { fields: again })).status).toBe(200);

    expect((await asAdmin('GET', `${path}?filter=size:eq:10`)).body.total).toBe(1);
  });

  it('keeps the stored values if it is refused', async () => {
    const { id, path } = await newType([size]);
    await asAdmin('POST', path, { fieldValues: { size: 'big' } });
    const before = await storedOf(id);

    const answer = await asAdmin('PUT', `/data-types/${id}`, { fields: [{ ...size, fieldType: 'number' }] });

    expect(answer).toMatchObject({ status: 400, body: { code: 'records_would_break' } });
    expect(await storedOf(id)).toEqual(before);
  });

  it('covers more records than one batch', async () => {
    const { id, path } = await newType([name]);
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx.raw(
        `insert into data_records (workspace_id, data_type_id, member_id, is_single, field_values)
         select ?, ?, ?, false, jsonb_build_object('name', 'Box ' || i) from generate_series(1, 450) as i`,
        [workspace.workspaceId, id, workspace.admin.memberId],
      ),
    );

    expect((await asAdmin('PUT', `/data-types/${id}`, { fields: [{ ...name, unique: true }] })).status).toBe(
      200,
    );

    expect((await asAdmin('GET', `${path}?search=box`)).body.total).toBe(450);
    expect((await asAdmin('GET', `${path}?filter=name:eq:box%20449`)).body.total).toBe(1);
  });

  it('refuses to index a json field', async () => {
    const body = { name: 'J', slug: `j-${randomTag()}`, isCollection: true };
    const field = { slug: 'a', name: 'A', fieldType: 'json', shouldIndex: true };

    const answer = await asAdmin('POST', '/data-types', { ...body, fields: [field] });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/fields/0/shouldIndex']]);
  });
});

describe('a record field that refers to a member or file', () => {
  const fields = [
    { slug: 'guardian', name: 'Guardian', fieldType: 'member', shouldIndex: true },
    { slug: 'scan', name: 'Scan', fieldType: 'file' },
  ];

  it('requires the target to exist', async () => {
    const { path } = await newType(fields);
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
    const { path } = await newType(fields);
    const guardian = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    const { id } = (await asAdmin('POST', path, { fieldValues: { guardian: guardian.id } })).body;
    const empty = (await asAdmin('POST', path, { fieldValues: {} })).body.id;
    expect((await asAdmin('DELETE', `/members/${guardian.id}`)).status).toBeLessThan(300);

    const put = (record: number) =>
      asAdmin('PUT', `${path}/${record}`, { fieldValues: { guardian: guardian.id } });
    expect((await put(id)).status).toBe(200);
    expect((await put(empty)).status).toBe(400);
  });
});

describe('listing data types', () => {
  it('finds types by part of the name or slug, whole slug and kind', async () => {
    const place = await createWorkspace(workspace.database);
    const asReader = callAs(api, place, place.admin);
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
