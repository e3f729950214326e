import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataRecordModel } from '../../../../db/records/models/data-record.js';
import { storedExternalId } from '../../../../domain/lib/plain-text.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { type FieldDefinition, fieldTypeNames } from '../../../../domain/records/field-values.js';
import { useApi } from '../../../support/api/use-api.js';
import { addFile } from '../../../support/files/add-file.js';
import { createMemoryStore } from '../../../support/files/memory-store.js';
import { hostileText, oneOf, seeded } from '../../../support/lib/hostile-texts.js';
import { addRecords } from '../../../support/records/add-records.js';
import { importAs } from '../../../support/records/import-records.js';
import { addMember, addMemberRow, randomTag, type TestMember } from '../../../support/workspace/factories.js';

const { api, workspace, as, asAdmin } = useApi();
const store = createMemoryStore();
const fileIds: number[] = [];
beforeAll(async () => {
  for (let count = 0; count < 3; count += 1) fileIds.push((await addFile(workspace, store)).id);
});
afterAll(() => store.close());

/** More than two batches. */
const recordsOfType = 250;
const pick = seeded(5);
const sometimes = <T>(value: () => T): T | undefined => (pick() < 0.7 ? value() : undefined);

function hostileJson(depth: number): unknown {
  if (depth === 0) return oneOf<unknown>(pick, [hostileText(pick), -5, 1e21, true, '-5', '[]', {}, []]);
  return oneOf(pick, [
    () => [hostileJson(depth - 1), null],
    () => ({ [`k${hostileText(pick)}`]: hostileJson(depth - 1), '=a': '=b' }),
  ])();
}

const givenFor: Record<string, () => unknown> = {
  text: () => hostileText(pick),
  textarea: () => hostileText(pick, 200),
  number: () => oneOf(pick, [-5, 0.1, -1e-7, 1e21, 0]),
  integer: () => oneOf(pick, [-5, 0, Number.MAX_SAFE_INTEGER]),
  boolean: () => pick() < 0.5,
  date: () => '2024-02-29',
  datetime: () => '2030-01-31T12:00:00.123Z',
  time: () => '08:30',
  email: () => "o'neil+=1@example.com",
  phone: () => '+12025550123',
  url: () => 'https://example.com/?a=1,2&b="3"',
  select: () => `${hostileText(pick)}x`,
  multiselect: () => Array.from({ length: Math.floor(pick() * 4) }, () => `${hostileText(pick)}x`),
  json: () => hostileJson(2),
  file: () => fileIds[0],
  files: () => fileIds.slice(0, Math.floor(pick() * 4)),
  member: () => workspace.admin.memberId,
};

const fields: FieldDefinition[] = fieldTypeNames.map((fieldType) => ({
  slug: `${fieldType}-field`,
  name: `Field of ${fieldType}`,
  fieldType,
  shouldIndex: fieldType !== 'json',
}));

async function newType(isCollection = true, of = fields) {
  const input = { name: 'Trouble', slug: `type-${randomTag()}`, isCollection, fields: of };
  const { id } = await createDataType(workspace.context(), input);
  return { id, path: `/data-types/${id}/records` };
}

/** A data type whose records contain difficult values of every kind, some with an external id. */
async function stagedType(isCollection: boolean) {
  const type = await newType(isCollection);
  const members = await Promise.all(
    Array.from({ length: recordsOfType }, () =>
      isCollection ? undefined : addMemberRow(workspace, { memberRoleId: workspace.roles.member.id }),
    ),
  );
  const records = members.map((member, index) => {
    const values = fieldTypeNames.map((name) => [`${name}-field`, sometimes(givenFor[name] ?? (() => null))]);
    return {
      memberId: member?.id ?? workspace.member.memberId,
      externalId: sometimes(() => storedExternalId(`${index}${hostileText(pick)}`)) ?? null,
      fieldValues: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    };
  });
  await addRecords(workspace, type.id, records);
  return type;
}

const rowsOf = (dataTypeId: number) =>
  workspace.within(
    async (tx) => await DataRecordModel.query(tx).where({ data_type_id: dataTypeId }).orderBy('id'),
  );

async function exported(path: string, member: TestMember = workspace.admin): Promise<string> {
  const { status, body } = await as(member)('GET', `${path}/export`);
  expect(status).toBe(200);
  return body;
}

/** Imports a file, and returns the result. */
const imported = async (path: string, file: string, member: TestMember = workspace.admin) =>
  (await importAs(api, workspace, member)(`${path}/import`, file)).result;

describe.each([
  ['a collection', true],
  ['one record a member', false],
])('the export of %s', (_title, isCollection) => {
  it('is unchanged when it is imported again', async () => {
    const type = await stagedType(isCollection);
    const before = await rowsOf(type.id);

    const result = await imported(type.path, await exported(type.path));

    expect(result).toMatchObject({ total: recordsOfType, unchanged: recordsOfType, failed: 0, errors: [] });
    expect(await rowsOf(type.id)).toEqual(before);
  });

  it('creates the same records in another data type', async () => {
    const type = await stagedType(isCollection);
    const copy = await newType(isCollection);
    const withIds: string[][] = parse(await exported(type.path));
    const withoutIds = stringify(withIds.map(([, ...cells]) => cells));

    const result = await imported(copy.path, withoutIds);

    expect(result).toMatchObject({ created: recordsOfType, failed: 0, errors: [] });
    const contents = async (id: number) =>
      (await rowsOf(id)).map(({ memberId, externalId, fieldValues }) => [memberId, externalId, fieldValues]);
    expect(await contents(copy.id)).toEqual(await contents(type.id));
  });
});

it('imports a member’s own export as unchanged, external ids included', async () => {
  const person = await addMember(workspace, { role: workspace.roles.member });
  const { id, path } = await newType();
  const own = { memberId: person.memberId, fieldValues: { 'text-field': '=1+1' } };
  await addRecords(workspace, id, [{ ...own, externalId: 'own-1' }, own]);

  const result = await imported(path, await exported(path, person), person);

  expect(result).toMatchObject({ total: 2, unchanged: 2 });
});

it('imports exported records of a deleted member as unchanged', async () => {
  const person = await addMember(workspace, { role: workspace.roles.member });
  const { id, path } = await newType();
  await addRecords(workspace, id, [{ fieldValues: { 'text-field': 'x' }, memberId: person.memberId }]);
  await asAdmin('DELETE', `/members/${person.memberId}`);

  const result = await imported(path, await exported(path));

  expect(result).toMatchObject({ total: 1, unchanged: 1 });
});

it('limits the size of a data record over all requests, and re-imports its export unchanged', async () => {
  const slugs = Array.from({ length: 30 }, (_, index) => `note-${index}`);
  const notes = slugs.map((slug) => ({ slug, name: slug, fieldType: 'textarea' }));
  const { path } = await newType(true, notes);
  // A quote grows most in a CSV file.
  const valuesOf = (from: number, to: number) =>
    Object.fromEntries(slugs.slice(from, to).map((slug) => [slug, '"'.repeat(10_000)]));
  const { id } = (await asAdmin('POST', path, { fieldValues: valuesOf(0, 6) })).body;
  const put = (fieldValues: object) => asAdmin('PUT', `${path}/${id}`, { fieldValues });

  expect((await put(valuesOf(6, 12))).status).toBe(200);
  expect(await put(valuesOf(12, 18))).toMatchObject({
    status: 400,
    body: { code: 'record_too_large', errors: [{ pointer: '/fieldValues' }] },
  });
  expect((await put({ 'note-0': null, 'note-20': 'short' })).status).toBe(200);
  expect(await imported(path, await exported(path))).toMatchObject({ unchanged: 1, failed: 0 });
});
