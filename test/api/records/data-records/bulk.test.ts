import { describe, expect, it } from 'vitest';
import { pointersOf } from '../../../support/api/call-as.js';
import { addRecordType, useRecords } from '../../../support/records/use-records.js';

const suite = useRecords();
const bulk = (records: unknown, more: object = {}, type = suite.collection) =>
  suite.asAdmin('POST', `${type.path}/bulk`, { records, ...more });
const day = (index: number) => ({ fieldValues: { reason: `Day ${index}` }, externalId: `visit-${index}` });
const stored = () => suite.countRows('data_records', { data_type_id: suite.collection.id });

describe('a batch of records', () => {
  it('is written, with a result for each record', async () => {
    const { memberId } = suite.workspace.member;
    await bulk([
      { fieldValues: { reason: 'A' }, externalId: 'a' },
      { fieldValues: { reason: 'B' }, externalId: 'b', memberId },
    ]);

    const { status, body } = await bulk([
      { fieldValues: { reason: 'A' }, externalId: 'a' },
      { fieldValues: { reason: 'New' }, externalId: 'b' },
      { fieldValues: {} },
      { fieldValues: { reason: 'C' }, externalId: 'c', memberId },
      { fieldValues: { reason: 'D' }, memberId: 999_999_999 },
    ]);

    expect(status).toBe(200);
    expect(body).toMatchObject({ created: 1, updated: 1, unchanged: 1, failed: 2 });
    const id = expect.any(Number);
    const missing = { pointer: '/fieldValues/reason', message: expect.any(String) };
    expect(body.results).toEqual([
      { index: 0, status: 'unchanged', id },
      { index: 1, status: 'updated', id },
      { index: 2, status: 'failed', errors: [missing] },
      { index: 3, status: 'created', id },
      { index: 4, status: 'failed', errors: [{ pointer: '', message: 'Member not found.' }] },
    ]);
    const changed = await suite.asAdmin('GET', `${suite.collection.path}/${body.results[1].id}`);
    expect(changed.body).toMatchObject({ memberId, fieldValues: { reason: 'New' } });
    expect(await stored()).toBe(3);
  });

  it('is all or nothing on request', async () => {
    await bulk([{ fieldValues: { reason: 'A' }, externalId: 'theirs' }]);
    const records = [
      { fieldValues: { reason: 'B' } },
      { fieldValues: { since: 'soon' } },
      { fieldValues: { reason: 'C' }, externalId: 'theirs', memberId: 999_999_999 },
    ];

    const refused = await bulk(records, { atomic: true });

    expect(refused.status).toBe(400);
    expect(pointersOf(refused.body)).toEqual([
      '/records/1/fieldValues/reason',
      '/records/1/fieldValues/since',
      '/records/2',
    ]);
    expect(await stored()).toBe(1);
    const written = await bulk(records.slice(0, 1), { atomic: true });
    expect(written).toMatchObject({ status: 200, body: { created: 1 } });
  });

  it('is applied in order to a member’s single record', async () => {
    const records = ['A', 'B', 'B'].map((reason) => ({ fieldValues: { reason } }));

    const { body } = await bulk(records, {}, suite.single);

    expect(body).toMatchObject({ created: 1, updated: 1, unchanged: 1, failed: 0 });
    expect(new Set(body.results.map(({ id }: { id: number }) => id)).size).toBe(1);
  });

  it.each([
    ['none at all', [], ['/records']],
    ['more than a thousand', Array(1_001).fill({ fieldValues: {} }), ['/records']],
    ['one that is no record', [{ reason: 'A' }], ['/records/0/fieldValues', '/records/0/reason']],
    ['an access mode there is not', [{ fieldValues: {}, accessMode: -1 }], ['/records/0/accessMode']],
  ])('is refused with %s', async (_, records, pointers) => {
    const answer = await bulk(records);
    expect([answer.status, pointersOf(answer.body).sort()]).toEqual([400, pointers]);
  });

  it('can contain a thousand records', async () => {
    const records = Array.from({ length: 1_000 }, (_, index) => day(index));
    expect((await bulk(records)).body).toMatchObject({ created: 1_000, failed: 0 });
    expect((await bulk(records)).body).toMatchObject({ unchanged: 1_000, failed: 0 });
  });

  it('reports values that take too long to match their patterns, and writes the others', async () => {
    const code = { slug: 'code', name: 'Code', fieldType: 'text', pattern: 'a*a*a{0,100}b' };
    const type = await addRecordType(suite.workspace, true, [code]);
    const slow = { fieldValues: { code: 'a'.repeat(256) } };

    const { status, body } = await bulk(
      [{ fieldValues: { code: 'ab' } }, ...Array(300).fill(slow)],
      {},
      type,
    );

    expect(body).toMatchObject({ created: 1, failed: 300 });
    expect(status).toBe(200);
    expect(body.results.at(-1).errors).toEqual([
      { pointer: '/fieldValues/code', message: expect.stringContaining('Code takes too long') },
    ]);
  });

  it('is written without errors concurrently with batches of the same records in other orders', async () => {
    const count = 100;
    const batchOf = (round: number) => {
      const records = Array.from({ length: count }, (_, index) => ({
        fieldValues: { reason: `Round ${round}` },
        externalId: `visit-${(index * 3 + round) % count}`,
      }));
      return round % 2 === 0 ? records : records.reverse();
    };

    const answers = await Promise.all(Array.from({ length: 8 }, (_, round) => bulk(batchOf(round))));

    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const sum = (name: string) => answers.reduce((total, { body }) => total + body[name], 0);
    expect([sum('created'), sum('updated'), sum('failed')]).toEqual([count, 7 * count, 0]);
    expect(await stored()).toBe(count);
  });

  it.each([
    ['first', 'second'],
    ['second', 'first'],
  ] as const)('passes an external id on from the %s member to the %s', async (giving, taking) => {
    const members = { first: suite.workspace.member.memberId, second: suite.workspace.admin.memberId };
    const before = (['first', 'second'] as const).map((externalId) => {
      return { fieldValues: { reason: 'A' }, externalId, memberId: members[externalId] };
    });
    await bulk(before, {}, suite.single);

    const gave = { fieldValues: { reason: 'Gave' }, externalId: 'new', memberId: members[giving] };
    const took = { fieldValues: { reason: 'Took' }, externalId: giving, memberId: members[taking] };
    const { status, body } = await bulk([gave, took], {}, suite.single);

    expect([status, body.updated]).toEqual([200, 2]);
    const { items } = (await suite.asAdmin('GET', suite.single.path, undefined, { externalId: giving })).body;
    expect(items).toMatchObject([{ memberId: members[taking], fieldValues: { reason: 'Took' } }]);
  });
});
