import { beforeEach, describe, expect, it } from 'vitest';
import { DataRecordChangeModel } from '../../../../db/records/models/data-record-change.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { pokeAssignmentRun } from '../../../../domain/kernel/runs.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { writeRecord } from '../../../../domain/records/data-records/write-record.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useRecords } from '../../../support/records/use-records.js';
import {
  addApiKey,
  addAssignment,
  addMember,
  randomTag,
  type TestMember,
} from '../../../support/workspace/factories.js';

const suite = useRecords();
const { workspace, otherWorkspace, as, asAdmin, asMember } = suite;

const changesOf = (recordId: number) =>
  workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
    const rows = await DataRecordChangeModel.query(tx).where({ record_id: recordId }).orderBy('id');
    return rows.map(({ operation, before, after, actorMemberId }) => ({
      operation,
      before,
      after,
      actorMemberId,
    }));
  });

const pokesOf = (subject: string) =>
  workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
    const pokes: unknown[] = await tx('outbox').where({ action: 'poke', subject });
    return pokes.length;
  });

describe('access to data records', () => {
  let pathOf: (rest: string) => string;

  beforeEach(async () => {
    const externalId = randomTag();
    const body = { fieldValues: { reason: 'Cough' }, externalId };
    const { id } = (await asAdmin('POST', suite.collection.path, body)).body;
    pathOf = (rest) => {
      if (rest === '/') return `${suite.collection.path}/${id}`;
      return rest === '' ? suite.collection.path : `${suite.collection.path}?externalId=${externalId}`;
    };
  });

  it('rejects members without a permission for records of others', async () => {
    const plain = await addMember(workspace, { role: workspace.roles.member, scopes: allScopes });
    const asPlain = as(plain);
    const fieldValues = { reason: 'Fever' };
    const { memberId } = workspace.admin;

    const answers = [
      await asPlain('GET', `${suite.collection.path}?memberId=${memberId}`),
      await asPlain('POST', suite.collection.path, { fieldValues, memberId }),
      await asPlain('PUT', pathOf('?externalId='), { fieldValues }),
      await asPlain('GET', pathOf('/')),
      await asPlain('PUT', pathOf('/'), { fieldValues }),
      await asPlain('DELETE', pathOf('/')),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('is limited to the one type that the permission names', async () => {
    const { memberId } = workspace.admin;
    const permissions = [`data:read:${suite.collection.slug}`, `data:write:${suite.collection.slug}`];
    const nurse = await addMember(workspace, { permissions });
    const asNurse = as(nurse);
    const own = (await asAdmin('POST', suite.single.path, { fieldValues: { reason: 'Cough' } })).body;
    const body = { fieldValues: { reason: 'Fever' }, memberId };

    expect((await asNurse('GET', pathOf('/'))).status).toBe(200);
    expect((await asNurse('POST', suite.collection.path, body)).status).toBe(201);
    expect((await asNurse('PUT', pathOf('/'), { fieldValues: { reason: 'Fever' } })).status).toBe(200);
    expect((await asNurse('GET', `${suite.single.path}/${own.id}`)).status).toBe(403);
    expect(
      (await asNurse('PUT', `${suite.single.path}/${own.id}`, { fieldValues: { reason: 'Fever' } })).status,
    ).toBe(403);
    expect((await asNurse('DELETE', pathOf('/'))).status).toBe(403);
  });

  it('requires the scope records:write to write for other members', async () => {
    const scopes = allScopes.filter((scope) => scope !== 'records:write');
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });

    const answer = await as({ apiKey })('POST', suite.collection.path, {
      fieldValues: { reason: 'Fever' },
      memberId: workspace.member.memberId,
    });

    expect(answer).toMatchObject({ status: 403 });
    expect(answer.body.detail).toContain('records:write');
  });
});

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
    });
    expect((await asMember('GET', `${suite.single.path}/${answer.body.id}`)).body).toEqual(answer.body);
    expect(await changesOf(answer.body.id)).toEqual([
      { operation: 'created', before: null, after: fieldValues, actorMemberId: workspace.member.memberId },
    ]);
  });

  it('stores records for another member, and several in a collection', async () => {
    const { memberId } = workspace.member;
    const body = { fieldValues: { reason: 'Cough' }, memberId };

    const first = await asAdmin('POST', suite.collection.path, body);
    const second = await asAdmin('POST', suite.collection.path, body);

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toMatchObject({ memberId });
    expect(second.body.id).not.toBe(first.body.id);
  });

  it.each([
    ['a missing required value', { fieldValues: {} }, ['/fieldValues/reason']],
    [
      'values that do not fit',
      { fieldValues: { reason: 'A', contact: 'x', since: '2023-02-30' } },
      ['/fieldValues/contact', '/fieldValues/since'],
    ],
    ['a value for no field', { fieldValues: { reason: 'A', colour: 'red' } }, ['/fieldValues/colour']],
    ['no values at all', {}, ['/fieldValues']],
    ['values that are a list', { fieldValues: [] }, ['/fieldValues']],
    [
      'a task that does not exist',
      { fieldValues: { reason: 'A' }, assignmentTaskId: 999_999_999 },
      ['/assignmentTaskId'],
    ],
    ['an empty external id', { fieldValues: { reason: 'A' }, externalId: '' }, ['/externalId']],
    ['an unknown property', { fieldValues: { reason: 'A' }, colour: 'red' }, ['/colour']],
  ])('refuses %s', async (_, body, pointers) => {
    const answer = await asAdmin('POST', suite.collection.path, body);

    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual(pointers);
  });

  it('returns 404 for an unknown member and one of another workspace', async () => {
    for (const memberId of [999_999_999, otherWorkspace.member.memberId]) {
      const answer = await asAdmin('POST', suite.collection.path, { fieldValues: { reason: 'A' }, memberId });

      expect(answer).toMatchObject({ status: 404, body: { detail: 'Member not found.' } });
    }
  });

  it('refuses an assistant, because records are about people', async () => {
    const { memberId } = await createAssistant(workspace.context(), { name: 'Guide', instructions: '' });

    const answer = await asAdmin('POST', suite.collection.path, { fieldValues: { reason: 'A' }, memberId });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/memberId']]);
  });

  it('refuses a second record in a type with a single record per member', async () => {
    const body = { fieldValues: { reason: 'Cough' } };
    await asMember('POST', suite.single.path, body);

    const answer = await asMember('POST', suite.single.path, body);

    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'duplicate', errors: [{ pointer: '/memberId' }] },
    });
  });

  it('updates the record with the external id and keeps omitted values', async () => {
    const externalId = 'visit-1';
    const values = { reason: 'Cough', since: '2024-01-01' };
    const { memberId } = workspace.member;
    const first = await asAdmin('POST', suite.single.path, { fieldValues: values, externalId, memberId });

    const second = await asAdmin('POST', suite.single.path, { fieldValues: { reason: 'Fever' }, externalId });

    const after = { reason: 'Fever', since: '2024-01-01' };
    expect(second.body).toMatchObject({ id: first.body.id, memberId, externalId, fieldValues: after });
    expect(await changesOf(first.body.id)).toMatchObject([
      { operation: 'created' },
      { operation: 'updated', before: values, after },
    ]);
  });

  it('moves the record with a known external id to the named member', async () => {
    const externalId = 'visit-1';
    const fieldValues = { reason: 'Cough' };
    const known = await asAdmin('POST', suite.collection.path, {
      fieldValues,
      externalId,
      memberId: workspace.member.memberId,
    });
    const { memberId } = workspace.admin;

    const answer = await asAdmin('POST', suite.collection.path, {
      fieldValues: { reason: 'A' },
      externalId,
      memberId,
    });

    expect(answer).toMatchObject({ status: 201, body: { id: known.body.id, memberId } });
    expect((await asAdmin('GET', `${suite.collection.path}/${known.body.id}`)).body).toMatchObject({
      memberId,
      fieldValues: { reason: 'A' },
    });
  });

  it('does not move a record to a member for which the caller may not write', async () => {
    const body = { fieldValues: { reason: 'Cough' }, externalId: 'own' };
    await asMember('POST', suite.collection.path, body);
    const { memberId } = workspace.admin;

    expect((await asMember('POST', suite.collection.path, { ...body, memberId })).status).toBe(403);
    const nobody = await asAdmin('POST', suite.collection.path, { ...body, memberId: 999_999_999 });
    expect(nobody.status).toBe(404);
  });

  it('allows members to use unused external ids and those of their own records', async () => {
    const fieldValues = { reason: 'Fever' };
    const give = (memberId: number, externalId: string) =>
      asAdmin('POST', suite.collection.path, { fieldValues: { reason: 'Cough' }, memberId, externalId });
    await give(workspace.member.memberId, 'own');
    await give(workspace.admin.memberId, 'theirs');

    for (const externalId of ['own', 'theirs', 'nobody']) {
      const expected = externalId === 'theirs' ? [403, 403] : [201, 200];
      const posted = await asMember('POST', suite.collection.path, { fieldValues, externalId });
      const put = await asMember('PUT', `${suite.collection.path}?externalId=${externalId}`, { fieldValues });
      expect([posted.status, put.status]).toEqual(expected);
    }
  });

  it('allows members that may write all records of the type to use any external id', async () => {
    const nurse = await addMember(workspace, { permissions: [`data:write:${suite.collection.slug}`] });
    const body = { fieldValues: { reason: 'Cough' }, externalId: 'visit-1' };
    const { id } = (await asAdmin('POST', suite.collection.path, body)).body;

    const answer = await as(nurse)('POST', suite.collection.path, body);

    expect(answer).toMatchObject({ status: 201, body: { id, memberId: workspace.admin.memberId } });
  });

  it('creates one record for twenty concurrent requests with one external id', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        asAdmin('POST', suite.collection.path, {
          fieldValues: { reason: `Day ${index}` },
          externalId: 'visit-1',
        }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await changesOf(answers[0]?.body.id)).toHaveLength(20);
  });

  it('creates one single record for twenty concurrent requests', async () => {
    const body = { fieldValues: { reason: 'Cough' } };

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => asMember('POST', suite.single.path, body)),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status !== 201) expect([status, pointersOf(body)]).toEqual([400, ['/memberId']]);
    }
  });

  it('records the answer of an assignment task and pokes its run', async () => {
    const { memberId } = workspace.member;
    const configuration = { dataTypeSlug: suite.single.slug, fieldSlugs: ['reason'] };
    const rootTask = { name: 'Intake', taskType: 'collect', configuration };
    const { assignment, tasks } = await addAssignment(workspace, { rootTask, memberId });
    const assignmentTaskId = tasks[0]?.id;
    const before = await pokesOf(assignment.uuid);

    const answer = await asMember('POST', suite.single.path, {
      fieldValues: { reason: 'Cough' },
      assignmentTaskId,
    });

    expect(answer.status).toBe(201);
    expect(await pokesOf(assignment.uuid)).toBe(before + 1);
    await asMember('PUT', `${suite.single.path}/${answer.body.id}`, { fieldValues: { since: '2024-01-01' } });
    expect(await pokesOf(assignment.uuid)).toBe(before + 2);
  });

  it('pokes the run of a collect task with its start input', async () => {
    const { memberId } = workspace.member;
    const configuration = { dataTypeSlug: suite.collection.slug, fieldSlugs: ['reason'] };
    const rootTask = { name: 'Intake', taskType: 'collect', configuration };
    const { assignment } = await addAssignment(workspace, { rootTask, memberId });

    const { status } = await asMember('POST', suite.collection.path, { fieldValues: { reason: 'Cough' } });

    expect(status).toBe(201);
    const inputs = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
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

    const answer = await asMember('POST', suite.single.path, {
      fieldValues: { reason: 'Cough' },
      assignmentTaskId: tasks[0]?.id,
    });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/assignmentTaskId']]);
  });

  it('returns 404 for an unknown data type', async () => {
    const path = '/data-types/999999999/records';

    expect((await asAdmin('POST', path, { fieldValues: {} })).status).toBe(404);
    expect((await asAdmin('GET', path)).status).toBe(404);
  });
});

describe('listing data records', () => {
  const create = async (who: TestMember, reason: string, externalId?: string) =>
    (
      await asAdmin('POST', suite.collection.path, {
        fieldValues: { reason },
        externalId,
        memberId: who.memberId,
      })
    ).body.id;

  it('returns pages of all members’ records, filtered by member and external id', async () => {
    const ids = [
      await create(workspace.admin, 'A'),
      await create(workspace.member, 'B', 'b'),
      await create(workspace.member, 'C'),
    ];
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
    expect((await list({ memberId: workspace.member.memberId })).items).toEqual(ids.slice(1));
    expect((await list({ externalId: 'b' })).items).toEqual(ids.slice(1, 2));
  });

  it('returns only the caller’s own records without the read permission', async () => {
    await create(workspace.admin, 'A');
    const own = await create(workspace.member, 'B');

    const answer = await asMember('GET', suite.collection.path);

    expect(answer.body).toMatchObject({ total: 1, items: [{ id: own }] });
  });

  it('refuses an invalid page size', async () => {
    const answer = await asAdmin('GET', suite.collection.path, undefined, { pageSize: 101 });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/pageSize']]);
  });
});

describe('changing a data record', () => {
  it('keeps omitted values, clears nulls and records the old and new values', async () => {
    const before = { reason: 'Cough', contact: '+12025550123', since: '2024-01-01' };
    const { id } = (await asMember('POST', suite.single.path, { fieldValues: before })).body;

    const answer = await asAdmin('PUT', `${suite.single.path}/${id}`, {
      fieldValues: { since: null, reason: 'Fever' },
    });

    const after = { reason: 'Fever', contact: '+12025550123' };
    expect(answer).toMatchObject({ status: 200, body: { id, fieldValues: after } });
    expect(answer.body.fieldValues).toEqual(after);
    expect((await changesOf(id)).at(-1)).toEqual({
      operation: 'updated',
      before,
      after,
      actorMemberId: workspace.admin.memberId,
    });
  });

  it('accepts an external id instead of the id', async () => {
    const body = { fieldValues: { reason: 'Cough' }, externalId: 'visit-1' };
    const { id } = (await asAdmin('POST', suite.collection.path, body)).body;
    const fieldValues = { reason: 'Fever' };

    const answer = await asAdmin('PUT', `${suite.collection.path}?externalId=visit-1`, { fieldValues });

    expect(answer).toMatchObject({ status: 200, body: { id, fieldValues } });
    expect((await asAdmin('PUT', `${suite.collection.path}?externalId=none`, { fieldValues })).status).toBe(
      404,
    );
    const without = await asAdmin('PUT', suite.collection.path, { fieldValues });
    expect([without.status, pointersOf(without.body)]).toEqual([400, ['/externalId']]);
  });

  it.each([
    ['a required value that is emptied', { fieldValues: { reason: null } }, ['/fieldValues/reason']],
    ['a value that does not fit', { fieldValues: { since: 'soon' } }, ['/fieldValues/since']],
    ['anything but values', { fieldValues: {}, memberId: 1 }, ['/memberId']],
  ])('refuses %s', async (_, body, pointers) => {
    const { id } = (await asMember('POST', suite.single.path, { fieldValues: { reason: 'Cough' } })).body;

    const answer = await asMember('PUT', `${suite.single.path}/${id}`, body);

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, pointers]);
  });

  it('accepts null for a required value that an agent has not collected yet', async () => {
    const { memberId } = workspace.member;
    const { id } = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      writeRecord(tx, {
        dataTypeSlug: suite.single.slug,
        memberId,
        values: { since: '2024-01-01' },
        assignmentTaskId: null,
        isCollecting: false,
        defaultRegion: 'US',
        actorMemberId: null,
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
    const { id } = (await asMember('POST', suite.single.path, { fieldValues: { reason: 'Cough' } })).body;

    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        asMember('PUT', `${suite.single.path}/${id}`, {
          fieldValues:
            index % 2 === 0 ? { contact: `+120255501${10 + index}` } : { since: `2024-01-${10 + index}` },
        }),
      ),
    );

    const { body } = await asMember('GET', `${suite.single.path}/${id}`);
    expect(Object.keys(body.fieldValues).sort()).toEqual(['contact', 'reason', 'since']);
    expect(await changesOf(id)).toHaveLength(21);
  });

  it('returns 404 under another data type', async () => {
    const { id } = (await asMember('POST', suite.single.path, { fieldValues: { reason: 'Cough' } })).body;
    const path = `${suite.collection.path}/${id}`;

    expect((await asMember('GET', path)).status).toBe(404);
    expect((await asMember('PUT', path, { fieldValues: { reason: 'A' } })).status).toBe(404);
    expect((await asAdmin('DELETE', path)).status).toBe(404);
  });
});

describe('deleting a data record', () => {
  it('removes the record with its changes', async () => {
    const { id } = (await asMember('POST', suite.single.path, { fieldValues: { reason: 'Cough' } })).body;

    expect(await asAdmin('DELETE', `${suite.single.path}/${id}`)).toMatchObject({
      status: 200,
      body: { status: 'deleted' },
    });

    expect((await asMember('GET', `${suite.single.path}/${id}`)).status).toBe(404);
    expect(await changesOf(id)).toEqual([]);
    expect((await asMember('POST', suite.single.path, { fieldValues: { reason: 'Cough' } })).status).toBe(
      201,
    );
  });
});
