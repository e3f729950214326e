import { beforeAll, describe, expect, it } from 'vitest';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { accessModes } from '../../../../domain/records/data-records/record-access.js';
import { csvForm, type ImportAnswer, importAs } from '../../../support/records/import-records.js';
import { type TestType, useRecords } from '../../../support/records/use-records.js';
import {
  addApiKey,
  addMember,
  type TestMember,
  type TestWorkspace,
} from '../../../support/workspace/factories.js';

const suite = useRecords([
  { slug: 'reason', name: 'Reason', fieldType: 'text', required: true },
  { slug: 'contact', name: 'Contact', fieldType: 'phone' },
  { slug: 'visits', name: 'Visits', fieldType: 'integer', min: 0 },
  { slug: 'tags', name: 'Tags', fieldType: 'multiselect' },
]);
const { api, workspace, otherWorkspace, asAdmin, create } = suite;
let person: TestMember;
beforeAll(async () => {
  person = await addMember(workspace, { role: workspace.roles.member, values: { externalId: 'person-1' } });
});

/** Imports into the collection, as the admin unless told. */
const load = (
  content: string,
  form = {},
  { type = suite.collection, as = workspace.admin } = {},
): Promise<ImportAnswer> => importAs(api, workspace, as)(`${type.path}/import`, content, form);
const loadSingle = (content: string) => load(content, {}, { type: suite.single });
const loadAsPerson = (content: string, form = {}) => load(content, form, { as: person });

/** The records of a type, oldest first. */
async function recordsOf(type: TestType = suite.collection) {
  const { body } = await asAdmin('GET', type.path, undefined, { pageSize: 100 });
  return body.items as {
    id: number;
    memberId: number;
    externalId?: string;
    fieldValues: Record<string, unknown>;
  }[];
}
const reasons = async () =>
  (await recordsOf()).map(({ memberId, fieldValues }) => [memberId, fieldValues.reason]);

describe('access to importing records', () => {
  const send = (place: TestWorkspace, who: { apiKey?: string }) =>
    api.request('POST', place.path(`${suite.collection.path}/import`), {
      ...who,
      multipart: csvForm('reason\nCough\n'),
    });

  it('returns 401 without credentials', async () => {
    const answer = await send(workspace, {});
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  it('returns 403 for a credential without data:write', async () => {
    const scopes = allScopes.filter((scope) => scope !== 'data:write');
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });

    const answer = await send(workspace, { apiKey });

    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });

  it('returns 404 from another workspace', async () => {
    const { apiKey } = otherWorkspace.admin;
    expect((await send(workspace, { apiKey })).status).toBe(404);
    expect((await send(otherWorkspace, { apiKey })).status).toBe(404);
    expect(await recordsOf()).toEqual([]);
  });

  it('allows own records without a permission, and refuses rows about other members', async () => {
    const { memberId } = workspace.admin;
    const { email } = workspace.member.row;

    const { result } = await loadAsPerson(
      `__memberId,__memberEmail,reason\n,,own\n${person.memberId},,own too\n${memberId},,not mine\n,${email},nor this\n` +
        ',nobody@example.com,nor this\n',
    );

    const refusal = 'This needs the permission records:write.';
    expect(result).toMatchObject({
      created: 2,
      failedRows: [4, 5, 6],
      errors: [`Row 4: ${refusal}`, `Row 5: ${refusal}`, `Row 6: ${refusal}`],
    });
    expect(await reasons()).toEqual([
      [person.memberId, 'own'],
      [person.memberId, 'own too'],
    ]);
  });

  it('returns 403 for an import for another member', async () => {
    const answer = await loadAsPerson('reason\nCough\n', { memberId: workspace.admin.memberId });
    expect(answer).toMatchObject({ status: 403, problem: { code: 'forbidden' } });
  });

  it('refuses external ids and ids of others’ records, and accepts unused external ids', async () => {
    await load('__externalId,reason\nadmin-1,Cough\n');
    await load('__externalId,reason\nown-1,Cough\n', { memberId: person.memberId });
    const [others] = await recordsOf();

    const { result } = await loadAsPerson(
      `__id,__externalId,reason\n,admin-1,changed\n,unknown-1,changed\n${others?.id},,changed\n,own-1,changed\n`,
    );

    expect(result).toMatchObject({ updated: 1, created: 1, failedRows: [2, 4] });
    const refusal = 'This needs the permission records:write.';
    expect(result.errors).toEqual([`Row 2: ${refusal}`, `Row 4: ${refusal}`]);
    expect(await reasons()).toEqual([
      [workspace.admin.memberId, 'Cough'],
      [person.memberId, 'changed'],
      [person.memberId, 'changed'],
    ]);
  });

  it('includes records of all members in the one type that a permission names', async () => {
    const nurse = await addMember(workspace, { permissions: [`data:write:${suite.collection.slug}`] });
    const file = `__memberId,reason\n${person.memberId},Cough\n`;
    expect((await load(file, {}, { as: nurse })).result).toMatchObject({ created: 1 });
    const { result } = await load(file, {}, { as: nurse, type: suite.single });
    expect(result).toMatchObject({ failedRows: [2] });
  });
});

describe('importing records', () => {
  it('writes rows and reports progress and results', async () => {
    const { status, lines } = await load(
      '\ufeff__externalId,reason,contact,visits,tags\r\na-1,"Cough, dry","\'+1 (202) 555-0123",3,"new,""a, b"""\r\na-2,Fever,,,\r\n',
    );

    expect(status).toBe(200);
    const counts = { total: 2, success: 2, failed: 0, created: 2, updated: 0, unchanged: 0 };
    expect(lines).toEqual([
      { type: 'progress', current: 2, ...counts },
      { type: 'complete', ...counts, errors: [], failedRows: [], columnsPassedOver: [] },
    ]);
    expect(await recordsOf()).toMatchObject([
      {
        memberId: workspace.admin.memberId,
        externalId: 'a-1',
        fieldValues: { reason: 'Cough, dry', contact: '+12025550123', visits: 3, tags: ['new', 'a, b'] },
      },
      { externalId: 'a-2', fieldValues: { reason: 'Fever' } },
    ]);
  });

  it('reports progress every hundred rows, and failed rows by number', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => `${index % 50 === 0 ? 'many' : index}`);

    const { lines, result } = await load(
      `reason,visits\n${rows.map((visits) => `"two\nlines",${visits}`).join('\n')}\n`,
    );

    const progress = lines.flatMap((line) => (line.type === 'progress' ? [line.current] : []));
    expect(progress).toEqual([100, 200, 250]);
    expect(result).toMatchObject({ total: 250, success: 245, failed: 5, created: 245 });
    expect(result.failedRows).toEqual([2, 52, 102, 152, 202]);
    expect(result.errors?.[1]).toBe('Row 52: Visits must be a whole number');
  });

  it('imports valid rows beside invalid ones', async () => {
    const { result } = await load(
      `__id,__memberEmail,reason,visits,tags\n,,Cough,-1,\n,,,1,\nx,,Cough,,\n,nobody@example.com,Cough,,\n,,Cough,,"""a"\n,,Fever,1,\n`,
    );

    expect(result).toMatchObject({ created: 1, failed: 5, failedRows: [2, 3, 4, 5, 6] });
    expect(result.errors).toEqual([
      'Row 2: Visits must not be less than 0',
      'Row 3: Reason is required',
      'Row 4: __id must be an id',
      'Row 5: __memberEmail names no person',
      'Row 6: Tags has a quote that is not closed',
    ]);
    expect(await reasons()).toEqual([[workspace.admin.memberId, 'Fever']]);
  });

  it('finds the member by id, email, phone or external id', async () => {
    const { row, memberId } = person;
    const email = row.email?.toUpperCase();
    const phone = row.phone?.replace('+1', '');

    const { result } = await load(
      '__memberId,__memberEmail,__memberPhone,__memberExternalId,reason\n' +
        `${memberId},,,,id\n,${email},,,email\n,,${phone},,phone\n,,,person-1,external id\n${memberId},${email},${row.phone},person-1,all\n` +
        `${workspace.admin.memberId},${email},,,two\n`,
    );

    expect(result).toMatchObject({
      created: 5,
      errors: ['Row 7: __memberEmail names another person than __memberId'],
    });
    expect(await reasons()).toEqual(
      ['id', 'email', 'phone', 'external id', 'all'].map((reason) => [memberId, reason]),
    );
  });

  it('uses the form’s member for rows without one, and refuses assistants', async () => {
    const assistant = await createAssistant(workspace.context(), { name: 'Helper', instructions: 'Help.' });

    const { result } = await load(
      `__memberId,reason\n,theirs\n${workspace.admin.memberId},mine\n${assistant.memberId},nobody's\n`,
      { memberId: person.memberId },
    );

    expect(result).toMatchObject({ created: 2, errors: ['Row 4: __memberId names no person'] });
    expect(await reasons()).toEqual([
      [person.memberId, 'theirs'],
      [workspace.admin.memberId, 'mine'],
    ]);
    const answer = await load('reason\n', { memberId: assistant.memberId });
    expect(answer).toMatchObject({ status: 400, problem: { errors: [{ pointer: '/memberId' }] } });
  });

  it('updates the record with the external id, and only if values differ', async () => {
    await load('__externalId,reason,visits\na,Cough,1\nb,Cough,1\nc,Cough,1\n');

    const { result } = await load('__externalId,visits,reason\na,2,Cough\nb,1,Cough\nc,,\nd,1,\n');

    expect(result).toMatchObject({ updated: 1, unchanged: 2, errors: ['Row 5: Reason is required'] });
    expect((await recordsOf()).map(({ fieldValues }) => fieldValues.visits)).toEqual([2, 1, 1]);
  });

  it('changes nothing when repeated, except for collection rows without an identifier', async () => {
    const identified = '__externalId,reason\na,Cough\nb,Fever\n';
    await load(identified);
    await loadSingle('reason\nCough\n');

    expect((await load(identified)).result).toMatchObject({ unchanged: 2, created: 0 });
    expect((await loadSingle('reason\nCough\n')).result).toMatchObject({ unchanged: 1, created: 0 });
    await load('reason\nCough\n');
    expect((await load('reason\nCough\n')).result).toMatchObject({ created: 1 });
  });

  it('applies several rows about one record in order', async () => {
    const { result } = await load('__externalId,reason,visits\na,Cough,1\na,Fever,\na,Fever,\n');
    expect(result).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
    expect(await recordsOf()).toMatchObject([{ fieldValues: { reason: 'Fever', visits: 1 } }]);
  });

  it('updates the member’s single record, whichever way the row identifies the member', async () => {
    await loadSingle(`__memberId,reason\n${person.memberId},Cough\n`);

    const { result } = await loadSingle(`__memberExternalId,__externalId,visits\nperson-1,p-1,4\n,,5\n`);

    expect(result).toMatchObject({ updated: 1, errors: ['Row 3: Reason is required'] });
    expect(await recordsOf(suite.single)).toMatchObject([
      { memberId: person.memberId, externalId: 'p-1', fieldValues: { reason: 'Cough', visits: 4 } },
    ]);
  });

  it('updates the record with the given id, which must be of the data type', async () => {
    await load('__externalId,reason\na,Cough\n,Fever\n');
    await loadSingle('reason\nCough\n');
    const [a, b] = await recordsOf();
    const [elsewhere] = await recordsOf(suite.single);

    const { result } = await load(
      `__id,__externalId,__memberId,reason\n${a?.id},a,,changed\n${b?.id},b,,\n${b?.id},a,,x\n` +
        `${elsewhere?.id},,,x\n${b?.id},,${person.memberId},x\n`,
    );

    expect(result).toMatchObject({ updated: 2 });
    expect(result.errors).toEqual([
      'Row 4: __externalId is that of another record',
      'Row 5: __id names no record of the data type',
      "Row 6: __id names another member's record",
    ]);
    expect(await recordsOf()).toMatchObject([
      { externalId: 'a', fieldValues: { reason: 'changed' } },
      { externalId: 'b', fieldValues: { reason: 'Fever' } },
    ]);
  });

  it('keeps values for blank cells, or clears them on request', async () => {
    await load('__externalId,reason,visits,tags\na,Cough,1,x\n');

    const kept = await load('__externalId,reason,visits,tags\na,Cough, ,\n');
    expect(kept.result).toMatchObject({ unchanged: 1 });
    const cleared = await load('__externalId,visits,tags\na, ,\n', { blankCells: 'clear' });
    expect(cleared.result).toMatchObject({ updated: 1 });
    expect(await recordsOf()).toMatchObject([{ fieldValues: { reason: 'Cough' } }]);
    const required = await load('__externalId,reason\na,\n', { blankCells: 'clear' });
    expect(required.result).toMatchObject({ errors: ['Row 2: Reason is required'] });
  });
});

it('reports an external id of an invisible record like an unknown one', async () => {
  const { memberId } = person;
  await create(suite.collection, { memberId, externalId: 'hidden-1', accessMode: accessModes.hidden });
  await create(suite.collection, { memberId, accessMode: accessModes.readOnly });
  await create(suite.collection, { memberId });
  const [, readOnly, own] = await recordsOf();

  const { result } = await loadAsPerson(
    `__id,__externalId,reason\n,hidden-1,x\n,unknown-1,x\n${own?.id},hidden-1,x\n${own?.id},unknown-1,x\n${readOnly?.id},,x\n`,
  );

  expect(result).toMatchObject({ created: 1, failedRows: [2, 4, 5, 6] });
  expect(new Set(result.errors?.map((error) => error.replace(/^Row \d: /, '')))).toEqual(
    new Set(['This needs the permission records:write.', '__externalId is that of another record']),
  );
});

it.each(['', 'own', 'admin'] as const)(
  'does not reveal hidden records or owners of others’ records by id (%s)',
  async (guess) => {
    const { memberId } = person;
    await create(suite.collection, { memberId, accessMode: accessModes.hidden });
    await create(suite.collection);
    const [hidden, others] = await recordsOf();
    const owner = { '': '', own: memberId, admin: workspace.admin.memberId }[guess];
    const unknownId = 4_000_000_000;

    const { result } = await loadAsPerson(
      `__id,__memberId,reason\n${hidden?.id},${owner},x\n${unknownId},${owner},x\n${others?.id},${owner},x\n`,
    );

    expect(result.errors).toEqual([
      'Row 2: __id names no record of the data type',
      'Row 3: __id names no record of the data type',
      'Row 4: This needs the permission records:write.',
    ]);
  },
);

it('accepts external ids of the same length as requests do', async () => {
  const externalId = '👩'.repeat(200);
  expect(await create(suite.collection, { externalId })).toMatchObject({ externalId });

  const { result } = await load(`__externalId,reason\n${externalId},Cough\n`);

  expect(result).toMatchObject({ unchanged: 1, failed: 0 });
});

it('restores a retired record by its external id', async () => {
  await load('__externalId,reason\na,Cough\n');
  const [record] = await recordsOf();
  await asAdmin('POST', `${suite.collection.path}/${record?.id}/retire`, {});

  const { result } = await load('__externalId,reason\na,Fever\nb,Fever\n');

  expect(result).toMatchObject({ created: 1, updated: 1, failed: 0 });
  expect((await recordsOf())[0]).toMatchObject({ id: record?.id, fieldValues: { reason: 'Fever' } });
});

describe('an import that is refused as a whole', () => {
  it.each([
    ['where no column is a field', 'colour\nx\n', 'csv_columns_refused', 'Column A (colour)'],
    ['where the external id is misnamed', 'externalId\nx\n', 'csv_columns_refused', 'is called __externalId'],
    ['for a column that is there twice', 'reason,reason\nCough,x\n', 'csv_columns_refused', 'is there twice'],
    ['for CSV that breaks off', 'reason\nCough\n"Fever\n', 'csv_malformed', 'Row 3 has a quote'],
    ['for too many rows', `reason\n${'Cough\n'.repeat(10_001)}`, 'csv_too_many_rows', '10000 rows'],
    ['for an empty file', '', 'csv_malformed', 'empty'],
  ])('writes nothing %s', async (_title, content, code, detail) => {
    const answer = await load(content);
    expect(answer).toMatchObject({ status: 400, problem: { code, errors: [{ pointer: '/file' }] } });
    expect(answer.problem.detail).toContain(detail);
    expect(await recordsOf()).toEqual([]);
  });

  it('returns 413 for more than 10 MB', async () => {
    const answer = await load('x'.repeat(10 * 1_048_576 + 70_000));
    expect(answer).toMatchObject({ status: 413, problem: { code: 'body_too_large' } });
  });

  it('returns 400 for unknown form fields and options', async () => {
    const answer = await load('reason\nCough\n', { blankCells: 'all', other: 1 });
    expect(answer.status).toBe(400);
    expect(await recordsOf()).toEqual([]);
  });

  it('returns 404 for an unknown data type', async () => {
    const type = { ...suite.collection, path: '/data-types/4000000/records' };
    expect((await load('reason\n', {}, { type })).status).toBe(404);
  });
});
