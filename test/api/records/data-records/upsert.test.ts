import { describe, expect, it } from 'vitest';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { type TestType, useRecords } from '../../../support/records/use-records.js';
import { addAssignment, randomTag } from '../../../support/workspace/factories.js';

const suite = useRecords();
const at = (type: TestType, externalId: string) => `/data-types/${type.id}/upsert/${externalId}`;

describe('an upsert', () => {
  it('creates a missing record, and updates an existing one keeping omitted values', async () => {
    const { memberId } = suite.workspace.member;
    const path = at(suite.collection, 'visit-1');

    const first = await suite.asAdmin('POST', path, {
      fieldValues: { reason: 'Cough', since: '2024-01-01' },
      memberId,
    });
    const second = await suite.asAdmin('POST', path, { fieldValues: { reason: 'Fever' } });

    expect(first).toMatchObject({
      status: 200,
      body: { externalId: 'visit-1', memberId, memberName: suite.workspace.member.row.name },
    });
    expect(second).toMatchObject({
      status: 200,
      body: {
        id: first.body.id,
        memberId,
        memberName: suite.workspace.member.row.name,
        fieldValues: { reason: 'Fever', since: '2024-01-01' },
      },
    });
    expect(await suite.eventsOf(first.body.id)).toEqual([
      'data_record:created',
      'data_record:changed',
      'data_record:updated',
      'data_record:changed',
    ]);
  });

  it('writes nothing if nothing changes', async () => {
    const path = at(suite.collection, 'visit-1');
    const body = { fieldValues: { reason: 'Cough' } };
    const first = (await suite.asAdmin('POST', path, body)).body;

    const second = (await suite.asAdmin('POST', path, body)).body;

    expect(second).toEqual(first);
    expect(await suite.countRows('data_record_changes', { record_id: first.id })).toBe(1);
    expect(await suite.eventsOf(first.id)).toHaveLength(2);
  });

  it('sets the external id on the member’s single record', async () => {
    const { id } = (await suite.asMember('POST', suite.single.path, { fieldValues: { reason: 'Cough' } }))
      .body;
    const { memberId } = suite.workspace.member;
    const body = { fieldValues: { since: '2024-01-01' }, memberId };

    const answer = await suite.asAdmin('POST', at(suite.single, 'visit-1'), body);

    expect(answer).toMatchObject({
      status: 200,
      body: { id, externalId: 'visit-1', fieldValues: { reason: 'Cough', since: '2024-01-01' } },
    });
  });

  it.each(['0', '00012', '-5', '12345678901234567890', '9007199254740993'])(
    'accepts an external id of digits: %s',
    async (externalId) => {
      const fieldValues = { reason: 'Cough' };

      const first = await suite.asAdmin('POST', at(suite.collection, externalId), { fieldValues });
      const second = await suite.asAdmin('POST', at(suite.collection, externalId), { fieldValues });

      expect(first).toMatchObject({ status: 200, body: { externalId } });
      expect(second.body.id).toBe(first.body.id);
    },
  );

  it('decodes the external id from the path', async () => {
    const answer = await suite.asAdmin('POST', at(suite.collection, encodeURIComponent('Ärzte/7 & 8')), {
      fieldValues: { reason: 'Cough' },
    });

    expect(answer).toMatchObject({ status: 200, body: { externalId: 'Ärzte/7 & 8' } });
  });

  it('moves the record with a known external id to the named member', async () => {
    const path = at(suite.collection, 'visit-1');
    await suite.asAdmin('POST', path, { fieldValues: { reason: 'Cough' } });

    const { memberId } = suite.workspace.member;
    const answer = await suite.asAdmin('POST', path, { fieldValues: { reason: 'Fever' }, memberId });

    expect(answer).toMatchObject({ status: 200, body: { externalId: 'visit-1', memberId } });
  });

  it('refuses to move a record to a member that already has a single record', async () => {
    const { memberId } = suite.workspace.member;
    await suite.asAdmin('POST', at(suite.single, 'mine'), { fieldValues: { reason: 'Cough' } });
    await suite.asAdmin('POST', at(suite.single, 'theirs'), { fieldValues: { reason: 'A' }, memberId });

    const answer = await suite.asAdmin('POST', at(suite.single, 'mine'), { fieldValues: {}, memberId });

    expect([answer.status, answer.body.code, pointersOf(answer.body)]).toEqual([
      400,
      'duplicate',
      ['/memberId'],
    ]);
  });

  it.each([
    ['a missing required value', { fieldValues: {} }, ['/fieldValues/reason']],
    ['a value that does not fit', { fieldValues: { reason: 'A', since: 'x' } }, ['/fieldValues/since']],
    ['no values', {}, ['/fieldValues']],
    ['an unknown property', { fieldValues: { reason: 'A' }, externalId: 'x' }, ['/externalId']],
    ['an access mode there is not', { fieldValues: { reason: 'A' }, accessMode: 4 }, ['/accessMode']],
    [
      'a task there is not',
      { fieldValues: { reason: 'A' }, assignmentTaskId: 999_999_999 },
      ['/assignmentTaskId'],
    ],
  ])('refuses %s', async (_, body, pointers) => {
    const answer = await suite.asAdmin('POST', at(suite.collection, 'visit-1'), body);

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, pointers]);
  });

  it('refuses an external id that is too long', async () => {
    const answer = await suite.asAdmin('POST', at(suite.collection, 'x'.repeat(201)), {
      fieldValues: { reason: 'A' },
    });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/external_id']]);
  });

  it('returns 404 for an unknown member, and refuses an assistant', async () => {
    const { memberId } = await createAssistant(suite.workspace.context(), {
      name: `Guide ${randomTag()}`,
      instructions: '',
    });
    const upsert = (of: number) =>
      suite.asAdmin('POST', at(suite.collection, 'visit-1'), { fieldValues: { reason: 'A' }, memberId: of });

    expect((await upsert(999_999_999)).status).toBe(404);
    expect((await upsert(suite.otherWorkspace.member.memberId)).status).toBe(404);
    const refused = await upsert(memberId);
    expect([refused.status, pointersOf(refused.body)]).toEqual([400, ['/memberId']]);
  });

  it('accepts only a task of the record’s own member', async () => {
    const rootTask = { name: 'Talk', taskType: 'conversation', prompt: 'Ask how they are.', autoNext: true };
    const { tasks } = await addAssignment(suite.workspace, {
      rootTask,
      memberId: suite.workspace.member.memberId,
    });
    const assignmentTaskId = tasks[0]?.id;
    await suite.asAdmin('POST', at(suite.collection, 'mine'), { fieldValues: { reason: 'A' } });
    const { memberId } = suite.workspace.member;
    await suite.asAdmin('POST', at(suite.collection, 'theirs'), { fieldValues: { reason: 'A' }, memberId });

    const upsert = (externalId: string) =>
      suite.asAdmin('POST', at(suite.collection, externalId), { fieldValues: {}, assignmentTaskId });

    expect((await upsert('theirs')).status).toBe(200);
    expect(pointersOf((await upsert('mine')).body)).toEqual(['/assignmentTaskId']);
  });

  it('creates one record for fifty concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        suite.asAdmin('POST', at(suite.collection, 'visit-1'), { fieldValues: { reason: `Day ${index}` } }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const ids = new Set(answers.map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    const [id] = ids;
    expect(await suite.countRows('data_record_changes', { record_id: id })).toBe(50);
    expect(await suite.countRows('data_records', { data_type_id: suite.collection.id })).toBe(1);
  });

  it('creates one single record for fifty concurrent requests with different external ids', async () => {
    const { memberId } = suite.workspace.member;

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        suite.asAdmin('POST', at(suite.single, `visit-${index}`), { fieldValues: { reason: 'A' }, memberId }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(await suite.countRows('data_records', { data_type_id: suite.single.id })).toBe(1);
  });
});
