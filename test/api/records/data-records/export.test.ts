import { beforeAll, describe, expect, it } from 'vitest';
import { accessModes } from '../../../../domain/records/data-records/record-access.js';
import { exportDataRecords } from '../../../../domain/records/data-records/transfer/export-data-records.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { addRecords } from '../../../support/records/add-records.js';
import { useRecords } from '../../../support/records/use-records.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';

const suite = useRecords([
  { slug: 'reason', name: 'Reason', fieldType: 'text', shouldIndex: true },
  { slug: 'contact', name: 'Contact', fieldType: 'phone' },
  { slug: 'weight', name: 'Weight', fieldType: 'number', shouldIndex: true },
]);
const { workspace, as, asAdmin } = suite;
let person: TestMember;
beforeAll(async () => {
  person = await addMember(workspace, { role: workspace.roles.member });
});
const asPerson: typeof asAdmin = (...call) => as(person)(...call);

const place = () => `${suite.collection.path}/export`;
const add = async (fieldValues: object, more: object = {}): Promise<number> =>
  (await suite.create(suite.collection, { fieldValues, ...more })).id;
const linesOf = (text: string) => text.split('\r\n').slice(0, -1);
const reasonsIn = (lines: string[]) => lines.slice(1).map((line) => line.split(',')[3]);
const exportOf = async (call = asAdmin, query: Record<string, string | number> = {}) =>
  linesOf((await call('GET', place(), undefined, query)).body);
const postExport = async (filter: object) => linesOf((await asAdmin('POST', place(), filter)).body);

const endpoints: [string, unknown?][] = [['GET'], ['POST', {}]];
const ways = endpoints.map(([method]) => `exporting records by ${method}`);
describeAccess(suite, ways, () => {
  const common = { path: place(), scope: 'data:read', needsPermission: false, namesItem: true } as const;
  return endpoints.map(([method, body]) => ({ method, body, ...common }));
});

describe.each(endpoints)('filters of exporting records by %s', (method, body) => {
  it('returns 403 for records of another member without the permission', async () => {
    const { memberId } = workspace.admin;
    const [path, filters] =
      method === 'GET' ? [`${place()}?memberId=${memberId}`, body] : [place(), { memberId }];
    expect(await asPerson(method, path, filters)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('returns 400 for invalid filters', async () => {
    const [path, filters] = method === 'GET' ? [`${place()}?memberId=x`, body] : [place(), { page: 1 }];
    expect(await asAdmin(method, path, filters)).toMatchObject({ status: 400 });
  });
});

describe('exporting records', () => {
  it('returns a file with a line per record', async () => {
    const { memberId } = workspace.admin;
    const values = { reason: 'Cough, dry', contact: '+12025550123', weight: -1.5 };
    const first = await add(values, { externalId: '=1' });
    const second = await add({ weight: 0 });

    const answer = await asAdmin('GET', place());

    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toContain('text/csv');
    expect(answer.headers.get('Content-Disposition')).toBe(
      `attachment; filename="${suite.collection.slug}.csv"`,
    );
    expect(linesOf(answer.body)).toEqual([
      '__id,__externalId,__memberId,reason,contact,weight',
      `${first},'=1,${memberId},"Cough, dry",+12025550123,-1.5`,
      `${second},,${memberId},,,0`,
    ]);
  });

  it('returns the column names if there are no records', async () => {
    expect(await exportOf()).toEqual(['__id,__externalId,__memberId,reason,contact,weight']);
  });

  it('contains every record once over many batches', async () => {
    const records = Array.from({ length: 650 }, (_, index) => ({ fieldValues: { reason: `${index}` } }));
    await addRecords(workspace, suite.collection.id, records);
    expect(reasonsIn(await exportOf())).toEqual(records.map(({ fieldValues }) => fieldValues.reason));
  });

  it('omits retired records', async () => {
    const id = await add({ reason: 'Cough' });
    await add({ reason: 'Fever' });
    await asAdmin('POST', `${suite.collection.path}/${id}/retire`, {});
    expect(reasonsIn(await exportOf())).toEqual(['Fever']);
  });

  it('filters like the list, by query or body', async () => {
    await add({ reason: 'mine' });
    await add({ reason: 'theirs' }, { memberId: person.memberId, externalId: 'theirs-1' });
    for (const filter of [{ memberId: person.memberId }, { externalId: 'theirs-1' }]) {
      expect(reasonsIn(await exportOf(asAdmin, filter))).toEqual(['theirs']);
      expect(reasonsIn(await postExport(filter))).toEqual(['theirs']);
    }
  });

  it('filters by values and times, and searches', async () => {
    await add({ reason: 'Dry cough', weight: 60 });
    await add({ reason: 'Cough', weight: 80 });
    await add({ reason: 'Fever', weight: 80 });
    const filters: [Record<string, string | string[]>, string[]][] = [
      [{ filter: ['weight:gte:70'] }, ['Cough', 'Fever']],
      [{ filter: ['weight:eq:80'], search: 'cou' }, ['Cough']],
      [{ search: 'cough' }, ['Dry cough', 'Cough']],
      [{ createdBefore: '2020-01-01T00:00:00Z' }, []],
      [{ createdFrom: '2020-01-01T00:00:00Z' }, ['Dry cough', 'Cough', 'Fever']],
    ];

    for (const [filter, reasons] of filters) {
      expect(reasonsIn(await postExport(filter))).toEqual(reasons);
      const pairs = Object.entries(filter).flatMap(([name, values]) =>
        [values].flat().map((value): [string, string] => [name, value]),
      );
      const { body } = await asAdmin('GET', `${place()}?${new URLSearchParams(pairs)}`);
      expect(reasonsIn(linesOf(body))).toEqual(reasons);
    }
    const refused = await asAdmin('POST', place(), { filter: ['contact:eq:1'] });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/filter' }] } });
  });

  it('contains only readable records without the read permission', async () => {
    const { memberId } = person;
    await add({ reason: 'not mine' });
    await add({ reason: 'mine' }, { memberId });
    await add({ reason: 'mine to read' }, { memberId, accessMode: accessModes.readOnly });
    await add({ reason: 'hidden' }, { memberId, accessMode: accessModes.hidden });
    await add({ reason: 'shared' }, { accessMode: accessModes.shared });

    expect(reasonsIn(await exportOf(asPerson))).toEqual(['mine', 'mine to read', 'shared']);
    const reader = await addMember(workspace, { permissions: [`data:read:${suite.collection.slug}`] });
    expect(await exportOf(as(reader))).toHaveLength(6);
  });
});

it('omits records from a slow export that are hidden or stop matching meanwhile', async () => {
  const { memberId } = person;
  const reason = 'x'.repeat(1_000);
  const records = Array.from({ length: 350 }, (_, weight) => ({ memberId, fieldValues: { reason, weight } }));
  const saved = await addRecords(workspace, suite.collection.id, records);
  const ids = saved.flatMap((one) => (one.status === 'failed' ? [] : one.record.id));
  const filter = { filters: ['reason:prefix:x'] };
  const { text } = await exportDataRecords(workspace.context(person), suite.collection.id, filter);
  const pieces = text[Symbol.asyncIterator]();
  const first = await pieces.next();

  await asAdmin('PUT', `${suite.collection.path}/${ids[340]}`, {
    fieldValues: {},
    accessMode: accessModes.hidden,
  });
  await asAdmin('PUT', `${suite.collection.path}/${ids[341]}`, { fieldValues: { reason: 'y' } });
  let rest = '';
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) rest += next.value;

  expect(first.value?.startsWith('\ufeff__id')).toBe(true);
  const weights = linesOf(first.value + rest)
    .slice(1)
    .map((line) => Number(line.split(',').at(-1)));
  expect(weights).toEqual(ids.map((_, index) => index).filter((index) => index !== 340 && index !== 341));
});
