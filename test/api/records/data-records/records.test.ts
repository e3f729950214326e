import { describe, expect, it } from 'vitest';
import { DataRecordChangeModel } from '../../../../db/records/models/data-record-change.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { pokeAssignmentRun } from '../../../../domain/kernel/runs.js';
import { writeRecord } from '../../../../domain/records/data-records/write-record.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { type TestType, useRecords } from '../../../support/records/use-records.js';
import { addAssignment, addMember } from '../../../support/workspace/factories.js';

const suite = useRecords();
const { workspace, otherWorkspace, as, asAdmin, asMember, create } = suite;
const cough = { fieldValues: { reason: 'Cough' } };
const fever = { fieldValues: { reason: 'Fever' } };

const changesOf = (recordId: number) =>
  workspace.within(async (tx) => {
    const rows = await DataRecordChangeModel.query(tx).where({ record_id: recordId }).orderBy('id');
    return rows.map(({ operation, before, after, actorMemberId }) => ({
      operation,
      before,
      after,
      actorMemberId,
    }));
  });
const pokesOf = (subject: string) => suite.countRows('outbox', { action: 'poke', subject });
/** An assignment of the member whose task collects records of a type. */
const collecting = ({ slug: dataTypeSlug }: TestType) => {
  const configuration = { dataTypeSlug, fieldSlugs: ['reason'] };
  const rootTask = { name: 'Intake', taskType: 'collect', configuration, autoNext: true };
  return addAssignment(workspace, { rootTask, memberId: workspace.member.memberId });
};

describe('creating a data record', () => {
  it('stores the caller’s own normalised record with its first change', async () => {
    const answer = await asMember('POST', suite.single.path, {
      fieldValues: { reason: 'Cough', contact: '(202) 555-0123', since: '2024-02-29' },
    });

    expect(answer.status).toBe(201);
    const fieldValues = { reason: 'Cough', contact: '+12025550123', since: '2024-02-29' };
    expect(answer.body).toEqual({
      id: expect.any(Number),
      dataTypeId: suite.single.id,
      memberId: workspace.member.memberId,
      memberName: workspace.member.row.name,
      fieldValues,
      accessMode: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      operation: 'created',
    });
    expect((await asMember('GET', `${suite.single.path}/${answer.body.id}`)).body).toEqual({
      ...answer.body,
      operation: undefined,
    });
    expect(await changesOf(answer.body.id)).toEqual([
      { operation: 'created', before: null, after: fieldValues, actorMemberId: workspace.member.memberId },
    ]);
  });

  it('stores records for another member, and several in a collection', async () => {
    const { memberId } = workspace.member;

    const first = await create(suite.collection, { memberId });
    const second = await asAdmin('POST', suite.collection.path, { ...cough, memberId });

    expect(second).toMatchObject({ status: 201, body: { memberId } });
    expect(second.body.id).not.toBe(first.id);
  });

  it.each([
    ['a missing required value', { fieldValues: {} }, ['/fieldValues/reason']],
    ['a value that does not fit', { fieldValues: { reason: 'A', contact: 'x' } }, ['/fieldValues/contact']],
    [
      'two values that do not fit',
      { fieldValues: { contact: 'x', reason: 1 } },
      ['/fieldValues/reason', '/fieldValues/contact'],
    ],
    ['a value for no field', { fieldValues: { reason: 'A', colour: 'red' } }, ['/fieldValues/colour']],
    ['no values at all', {}, ['/fieldValues']],
    ['values that are a list', { fieldValues: [] }, ['/fieldValues']],
    ['a task that does not exist', { ...cough, assignmentTaskId: 999_999_999 }, ['/assignmentTaskId']],
    ['an empty external id', { ...cough, externalId: '' }, ['/externalId']],
    ['an unknown property', { ...cough, colour: 'red' }, ['/colour']],
  ])('refuses %s', async (_, body, pointers) => {
    const answer = await asAdmin('POST', suite.collection.path, body);
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, pointers]);
  });

  it('returns 404 for an unknown member and one of another workspace', async () => {
    for (const memberId of [999_999_999, otherWorkspace.member.memberId]) {
      const answer = await asAdmin('POST', suite.collection.path, { ...cough, memberId });
      expect(answer).toMatchObject({ status: 404, body: { detail: 'Member not found.' } });
    }
  });

  it('refuses an assistant, because records are about people', async () => {
    const { memberId } = await createAssistant(workspace.context(), { name: 'Guide', instructions: '' });

    const answer = await asAdmin('POST', suite.collection.path, { ...cough, memberId });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/memberId']]);
  });

  it('refuses a second record in a type with a single record per member', async () => {
    await asMember('POST', suite.single.path, cough);

    const { status, body } = await asMember('POST', suite.single.path, cough);

    expect([status, body.code, pointersOf(body)]).toEqual([400, 'duplicate', ['/memberId']]);
  });

  it('updates the record with the external id and keeps omitted values', async () => {
    const externalId = 'visit-1';
    const values = { reason: 'Cough', since: '2024-01-01' };
    const { memberId } = workspace.member;
    const first = await asAdmin('POST', suite.single.path, { fieldValues: values, externalId, memberId });

    const second = await asAdmin('POST', suite.single.path, { ...fever, externalId });

    const after = { reason: 'Fever', since: '2024-01-01' };
    expect([first.body.operation, second.body.operation]).toEqual(['created', 'updated']);
    expect(second.body).toMatchObject({ id: first.body.id, memberId, externalId, fieldValues: after });
    expect(await changesOf(first.body.id)).toMatchObject([
      { operation: 'created' },
      { operation: 'updated', before: values, after },
    ]);
  });

  it('moves the record with a known external id to the named member', async () => {
    const externalId = 'visit-1';
    const { path } = suite.collection;
    const { id } = await create(suite.collection, { externalId, memberId: workspace.member.memberId });
    const { memberId } = workspace.admin;

    const answer = await asAdmin('POST', path, { ...fever, externalId, memberId });

    expect(answer).toMatchObject({ status: 201, body: { id, memberId } });
    expect((await asAdmin('GET', `${path}/${id}`)).body).toMatchObject({ memberId, ...fever });
  });

  it('does not move a record to a member for which the caller may not write', async () => {
    const body = { ...cough, externalId: 'own' };
    await asMember('POST', suite.collection.path, body);
    const { memberId } = workspace.admin;
    expect((await asMember('POST', suite.collection.path, { ...body, memberId })).status).toBe(403);
    const unknown = { ...body, memberId: 999_999_999 };
    expect((await asAdmin('POST', suite.collection.path, unknown)).status).toBe(404);
  });

  it('allows members to use unused external ids and those of their own records', async () => {
    const { path } = suite.collection;
    await create(suite.collection, { memberId: workspace.member.memberId, externalId: 'own' });
    await create(suite.collection, { externalId: 'theirs' });

    for (const externalId of ['own', 'theirs', 'nobody']) {
      const expected = externalId === 'theirs' ? [403, 403] : [201, 200];
      const posted = await asMember('POST', path, { ...fever, externalId });
      const put = await asMember('PUT', `${path}?externalId=${externalId}`, fever);
      expect([posted.status, put.status]).toEqual(expected);
    }
  });

  it('allows members that may write all records of the type to use any external id', async () => {
    const nurse = await addMember(workspace, { permissions: [`data:write:${suite.collection.slug}`] });
    const externalId = 'visit-1';
    const { id } = await create(suite.collection, { externalId });

    const answer = await as(nurse)('POST', suite.collection.path, { ...cough, externalId });

    expect(answer).toMatchObject({ status: 201, body: { id, memberId: workspace.admin.memberId } });
  });

  it('creates one record for twenty concurrent requests with one external id', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const body = { fieldValues: { reason: `Day ${index}` }, externalId: 'visit-1' };
        return asAdmin('POST', suite.collection.path, body);
      }),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await changesOf(answers[0]?.body.id)).toHaveLength(20);
  });

  it('creates one single record for twenty concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => asMember('POST', suite.single.path, cough)),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status !== 201) expect([status, pointersOf(body)]).toEqual([400, ['/memberId']]);
    }
  });

  it('records the answer of an assignment task and pokes its run', async () => {
    const { assignment, tasks } = await collecting(suite.single);
    const before = await pokesOf(assignment.uuid);

    const answer = await asMember('POST', suite.single.path, { ...cough, assignmentTaskId: tasks[0]?.id });

    expect(answer.status).toBe(201);
    expect(await pokesOf(assignment.uuid)).toBe(before + 1);
    await asMember('PUT', `${suite.single.path}/${answer.body.id}`, { fieldValues: { since: '2024-01-01' } });
    expect(await pokesOf(assignment.uuid)).toBe(before + 2);
  });

  it('pokes the run of a collect task with its start input', async () => {
    const { assignment } = await collecting(suite.collection);

    expect((await asMember('POST', suite.collection.path, cough)).status).toBe(201);

    const inputs = await workspace.within(async (tx) => {
      await pokeAssignmentRun(tx, assignment);
      const pokes = { action: 'poke', subject: assignment.uuid };
      return tx('outbox').where(pokes).orderBy('id').select('run_type', 'input');
    });
    expect(inputs).toHaveLength(2);
    expect(inputs[0]).toEqual(inputs[1]);
  });

  it('refuses a task of another member’s assignment', async () => {
    const rootTask = { name: 'Talk', taskType: 'conversation', prompt: 'Ask how they are.', autoNext: true };
    const { tasks } = await addAssignment(workspace, { rootTask });

    const answer = await asMember('POST', suite.single.path, { ...cough, assignmentTaskId: tasks[0]?.id });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/assignmentTaskId']]);
  });
});

describe('listing data records', () => {
  it('returns pages of all members’ records, filtered by member and external id', async () => {
    const { memberId } = workspace.member;
    const ids: number[] = [];
    for (const more of [{}, { memberId, externalId: 'b' }, { memberId }]) {
      ids.push((await create(suite.collection, more)).id);
    }
    const list = async (query: Record<string, string | number>) => {
      const { body } = await asAdmin('GET', suite.collection.path, undefined, query);
      return { ...body, items: body.items.map(({ id }: { id: number }) => id) };
    };

    expect(await list({ pageSize: 2 })).toEqual({
      items: ids.slice(0, 2),
      total: 3,
      page: 1,
      pageSize: 2,
      totalPages: 2,
      totalIsExact: true,
    });
    expect((await list({ sortOrder: 'desc' })).items).toEqual(ids.toReversed());
    expect((await list({ memberId })).items).toEqual(ids.slice(1));
    expect((await list({ externalId: 'b' })).items).toEqual(ids.slice(1, 2));
  });

  it('returns only the caller’s own records without the read permission', async () => {
    await create(suite.collection);
    const { id } = await create(suite.collection, {}, asMember);

    const answer = await asMember('GET', suite.collection.path);

    expect(answer.body).toMatchObject({ total: 1, items: [{ id }] });
  });

  it('refuses an invalid page size', async () => {
    const answer = await asAdmin('GET', suite.collection.path, undefined, { pageSize: 101 });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/pageSize']]);
  });
});

describe('changing a data record', () => {
  it('keeps omitted values, clears nulls and records the old and new values', async () => {
    const before = { reason: 'Cough', contact: '+12025550123', since: '2024-01-01' };
    const { id } = await create(suite.single, { fieldValues: before }, asMember);

    const fieldValues = { since: null, reason: 'Fever' };
    const answer = await asAdmin('PUT', `${suite.single.path}/${id}`, { fieldValues });

    const after = { reason: 'Fever', contact: '+12025550123' };
    expect(answer).toMatchObject({ status: 200, body: { id, fieldValues: after, operation: 'updated' } });
    const again = await asAdmin('PUT', `${suite.single.path}/${id}`, { fieldValues });
    expect(again.body).toMatchObject({ fieldValues: after, operation: 'unchanged' });
    expect(answer.body.fieldValues).toEqual(after);
    expect((await changesOf(id)).at(-1)).toEqual({
      operation: 'updated',
      before,
      after,
      actorMemberId: workspace.admin.memberId,
    });
  });

  it('accepts an external id instead of the id', async () => {
    const { path } = suite.collection;
    const { id } = await create(suite.collection, { externalId: 'visit-1' });

    const answer = await asAdmin('PUT', `${path}?externalId=visit-1`, fever);

    expect(answer).toMatchObject({ status: 200, body: { id, ...fever } });
    expect((await asAdmin('PUT', `${path}?externalId=none`, fever)).status).toBe(404);
    const without = await asAdmin('PUT', path, fever);
    expect([without.status, pointersOf(without.body)]).toEqual([400, ['/externalId']]);
  });

  it.each([
    ['a required value that is emptied', { fieldValues: { reason: null } }, ['/fieldValues/reason']],
    ['a value that does not fit', { fieldValues: { since: 'soon' } }, ['/fieldValues/since']],
    ['anything but values', { fieldValues: {}, memberId: 1 }, ['/memberId']],
  ])('refuses %s', async (_, body, pointers) => {
    const { id } = await create(suite.single, {}, asMember);

    const answer = await asMember('PUT', `${suite.single.path}/${id}`, body);

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, pointers]);
  });

  it('accepts null for a required value that an agent has not collected yet', async () => {
    const { memberId } = workspace.member;
    const { id } = await workspace.within((tx) =>
      writeRecord(tx, {
        dataTypeSlug: suite.single.slug,
        memberId,
        values: { since: '2024-01-01' },
        assignmentTaskId: null,
        isCollecting: false,
        defaultRegion: 'US',
        actorMemberId: null,
        fileGiver: null,
        now: new Date(),
      }),
    );
    const put = (fieldValues: object) => asMember('PUT', `${suite.single.path}/${id}`, { fieldValues });

    expect(await put({ reason: null, since: null })).toMatchObject({
      status: 200,
      body: { fieldValues: {} },
    });
    expect((await put({ reason: 'Cough' })).status).toBe(200);
    expect(pointersOf((await put({ reason: null })).body)).toEqual(['/fieldValues/reason']);
  });

  it('loses none of twenty concurrent changes to different fields', async () => {
    const { id } = await create(suite.single, {}, asMember);

    await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const fieldValues =
          index % 2 === 0 ? { contact: `+120255501${10 + index}` } : { since: `2024-01-${10 + index}` };
        return asMember('PUT', `${suite.single.path}/${id}`, { fieldValues });
      }),
    );

    const { body } = await asMember('GET', `${suite.single.path}/${id}`);
    expect(Object.keys(body.fieldValues).sort()).toEqual(['contact', 'reason', 'since']);
    expect(await changesOf(id)).toHaveLength(21);
  });

  it('returns 404 under another data type', async () => {
    const { id } = await create(suite.single, {}, asMember);
    const path = `${suite.collection.path}/${id}`;
    expect((await asMember('GET', path)).status).toBe(404);
    expect((await asMember('PUT', path, { fieldValues: { reason: 'A' } })).status).toBe(404);
    expect((await asAdmin('DELETE', path)).status).toBe(404);
  });
});
