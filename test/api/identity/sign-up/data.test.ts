import { beforeAll, describe, expect, it } from 'vitest';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember, randomTag, uniqueEmail } from '../../../support/workspace/factories.js';
import { signUpDesk } from './sign-up-desk.js';

const { api, workspace, asAdmin } = useApi({ storesEvents: true });
let single: { id: number; slug: string };
let collection: { id: number; slug: string };

beforeAll(async () => {
  const fields = [
    { slug: 'city', name: 'City', fieldType: 'text', required: true },
    { slug: 'visits', name: 'Visits', fieldType: 'integer', max: 10 },
  ];
  const addType = async (isCollection: boolean) => {
    const type = { name: 'Type', slug: `type-${randomTag()}`, isCollection, fields };
    return (await asAdmin('POST', '/data-types', type)).body;
  };
  [single, collection] = [await addType(false), await addType(true)];
});

const signUp = (member: object, data?: object) => signUpDesk(api, workspace)(member, data);
const recordsOf = async ({ id }: { id: number }, memberId: number) => {
  const query = { memberId, sortBy: 'id' };
  return (await asAdmin('GET', `/data-types/${id}/records`, undefined, query)).body.items;
};
const membersWith = async (email: string) =>
  (await asAdmin('GET', '/members', undefined, { search: email })).body.total;

async function eventsOf(recordId: number): Promise<string[]> {
  return workspace.within((tx) =>
    tx('events').where({ data_record_id: recordId }).orderBy('id').pluck('event_type'),
  );
}

describe('the data of a sign-up', () => {
  it('become records of the member, with history and events', async () => {
    const data = {
      [single.slug]: { externalId: `s-${randomTag()}`, values: { city: 'Lima', visits: 1 } },
      [collection.slug]: { values: { city: 'Oslo' } },
    };
    const { body } = await signUp({ email: uniqueEmail() }, data);

    const [record, ...others] = await recordsOf(single, body.member.id);
    expect(record).toMatchObject({ fieldValues: { city: 'Lima', visits: 1 } });
    expect(others).toEqual([]);
    expect(await recordsOf(collection, body.member.id)).toMatchObject([{ fieldValues: { city: 'Oslo' } }]);
    expect(await eventsOf(record.id)).toEqual(['data_record:created', 'data_record:changed']);
    const { rows } = await workspace.within((tx) =>
      tx.raw('select operation, actor_member_id from data_record_changes where record_id = ?', [record.id]),
    );
    expect(rows).toEqual([{ operation: 'created', actor_member_id: workspace.admin.memberId }]);
  });

  it.each([
    ['a single type', () => single],
    ['a collection', () => collection],
  ])('update the record with the same external id: %s', async (_, typeOf) => {
    const [type, email, externalId] = [typeOf(), uniqueEmail(), `e-${randomTag()}`];
    const data = { [type.slug]: { externalId, values: { city: 'Lima', visits: 1 } } };
    const { id } = (await signUp({ email }, data)).body.member;
    const [before] = await recordsOf(type, id);

    await signUp({ email }, { [type.slug]: { externalId, values: { visits: 2 } } });

    const [after, ...others] = await recordsOf(type, id);
    expect(after).toMatchObject({ id: before.id, externalId, fieldValues: { city: 'Lima', visits: 2 } });
    expect(others).toEqual([]);
  });

  it('update the member’s single record and replace its external id', async () => {
    const email = uniqueEmail();
    const [first, second] = [`first-${randomTag()}`, `second-${randomTag()}`];
    const data = { [single.slug]: { externalId: first, values: { city: 'Lima' } } };
    const { body } = await signUp({ email }, data);
    const [before] = await recordsOf(single, body.member.id);

    await signUp({ email }, { [single.slug]: { externalId: second, values: { visits: 3 } } });

    expect(await recordsOf(single, body.member.id)).toMatchObject([
      { id: before.id, externalId: second, fieldValues: { city: 'Lima', visits: 3 } },
    ]);
    // Without an external id in the request, the record keeps its own.
    await signUp({ email }, { [single.slug]: { values: { visits: 4 } } });
    expect(await recordsOf(single, body.member.id)).toMatchObject([{ id: before.id, externalId: second }]);
  });

  it('become a further record of a collection if no external id matches', async () => {
    const email = uniqueEmail();
    const record = (externalId: string) => ({ [collection.slug]: { externalId, values: { city: 'Lima' } } });
    const { body } = await signUp({ email }, record(`one-${randomTag()}`));
    await signUp({ email }, record(`two-${randomTag()}`));
    expect(await recordsOf(collection, body.member.id)).toHaveLength(2);
  });

  it('leave no trace if they change nothing', async () => {
    const email = uniqueEmail();
    const data = { [single.slug]: { externalId: `s-${randomTag()}`, values: { city: 'Lima' } } };
    const { body } = await signUp({ email }, data);
    const before = await recordsOf(single, body.member.id);

    await signUp({ email }, data);

    expect(await recordsOf(single, body.member.id)).toEqual(before);
    expect(await eventsOf(before[0].id)).toHaveLength(2);
  });

  it('create one record for concurrent identical sign-ups', async () => {
    const email = uniqueEmail();
    const data = {
      [single.slug]: { externalId: `s-${randomTag()}`, values: { city: 'Lima' } },
      [collection.slug]: { externalId: `c-${randomTag()}`, values: { city: 'Oslo' } },
    };

    const answers = await Promise.all(Array.from({ length: 50 }, () => signUp({ email }, data)));

    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(answers.filter(({ body }) => body.wasCreated)).toHaveLength(1);
    const { id } = answers[0]?.body.member ?? {};
    for (const type of [single, collection]) expect(await recordsOf(type, id)).toHaveLength(1);
  });

  it('need no record permission, except for records that the member may not change', async () => {
    const greeter = await addMember(workspace, { permissions: ['account:create'] });
    const desk = signUpDesk(api, workspace, greeter.apiKey);
    const [email, data] = [uniqueEmail(), (city: string) => ({ [single.slug]: { values: { city } } })];
    const { status, body } = await desk({ email }, data('Lima'));
    expect(status).toBe(201);
    const [record] = await recordsOf(single, body.member.id);

    for (const accessMode of [1, 2, 3]) {
      await workspace.within((tx) =>
        tx('data_records').where({ id: record.id }).update({ access_mode: accessMode }),
      );
      const refused = await desk({ email, name: 'Changed' }, data('Oslo'));
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(await recordsOf(single, body.member.id)).toMatchObject([{ fieldValues: { city: 'Lima' } }]);
    expect((await asAdmin('GET', `/members/${body.member.id}`)).body.name).toBeNull();
    expect(await signUp({ email }, data('Oslo'))).toMatchObject({ status: 201 });
  });
});

describe('rejected data of a sign-up', () => {
  it('are reported with all errors, and no member is created', async () => {
    const email = uniqueEmail();

    const answer = await signUp(
      { email },
      {
        [single.slug]: { values: { visits: 11, colour: 'red' } },
        [collection.slug]: { values: { city: 7 } },
      },
    );

    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const [ofSingle, ofCollection] = [single, collection].map(({ slug }) => `/data/${slug}/values`);
    const pointers = [`${ofSingle}/city`, `${ofSingle}/colour`, `${ofSingle}/visits`, `${ofCollection}/city`];
    expect(pointersOf(answer.body).sort()).toEqual(pointers.sort());
    expect(await membersWith(email)).toBe(0);
  });

  it('include unknown data types', async () => {
    const email = uniqueEmail();
    const answer = await signUp({ email }, { none: { values: {} }, 'a/b~c': { values: {} } });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/data/none', '/data/a~1b~0c']]);
    expect(await membersWith(email)).toBe(0);
  });

  it('include the external id of another member’s record', async () => {
    const externalId = `s-${randomTag()}`;
    await signUp({ email: uniqueEmail() }, { [single.slug]: { externalId, values: { city: 'Lima' } } });
    const email = uniqueEmail();
    const answer = await signUp({ email }, { [single.slug]: { externalId, values: { city: 'Oslo' } } });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, [`/data/${single.slug}/externalId`]]);
    expect(await membersWith(email)).toBe(0);
  });

  it('include a retired record', async () => {
    const [email, externalId] = [uniqueEmail(), `c-${randomTag()}`];
    const data = { [collection.slug]: { externalId, values: { city: 'Lima' } } };
    const { body } = await signUp({ email }, data);
    await workspace.within((tx) =>
      tx('data_records').where({ member_id: body.member.id }).update({ retired_at: new Date() }),
    );

    const answer = await signUp({ email, name: 'Changed' }, data);
    expect(answer).toMatchObject({ status: 409, body: { code: 'record_retired' } });
    expect((await asAdmin('GET', `/members/${body.member.id}`)).body.name).toBeNull();
  });

  it.each([
    ['an external id too long', { externalId: 'x'.repeat(201), values: {} }, 'externalId'],
    ['values that are none', { values: 'none' }, 'values'],
    ['more besides', { values: {}, more: 1 }, 'more'],
  ])('include %s', async (_, record, field) => {
    const answer = await signUp({ email: uniqueEmail() }, { [single.slug]: record });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, [`/data/${single.slug}/${field}`]]);
  });
});
