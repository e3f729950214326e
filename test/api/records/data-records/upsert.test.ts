import { describe, expect, it } from 'vitest';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useRecords } from '../../../support/records/use-records.js';
import { addAssignment } from '../../../support/workspace/factories.js';

const suite = useRecords();
const { workspace, otherWorkspace } = suite;
const cough = { fieldValues: { reason: 'Cough' } };
const upsert = (externalId: string, body: object = cough, type = suite.collection) =>
  suite.asAdmin('POST', `/data-types/${type.id}/upsert/${externalId}`, body);

describe('an upsert', () => {
  it('creates a missing record, and updates an existing one keeping omitted values', async () => {
    const { memberId, row } = workspace.member;
    const fieldValues = { reason: 'Cough', since: '2024-01-01' };

    const first = await upsert('visit-1', { fieldValues, memberId });
    const second = await upsert('visit-1', { fieldValues: { reason: 'Fever' } });

    const owner = { memberId, memberName: row.name };
    expect(first).toMatchObject({ status: 200, body: { externalId: 'visit-1', ...owner } });
    const { id } = first.body;
    expect(second).toMatchObject({
      status: 200,
      body: { id, ...owner, fieldValues: { ...fieldValues, reason: 'Fever' }, operation: 'updated' },
    });
    const [created, updated] = ['created', 'updated'].map((how) => [
      `data_record:${how}`,
      'data_record:changed',
    ]);
    expect(await suite.eventsOf(id)).toEqual([created, updated].flat());
  });

  it('writes nothing if nothing changes', async () => {
    const first = (await upsert('visit-1')).body;

    const second = (await upsert('visit-1')).body;

    expect(first.operation).toBe('created');
    expect(second).toEqual({ ...first, operation: 'unchanged' });
    expect(await suite.countRows('data_record_changes', { record_id: first.id })).toBe(1);
    expect(await suite.eventsOf(first.id)).toHaveLength(2);
  });

  it('sets the external id on the member’s single record', async () => {
    const { memberId } = workspace.member;
    const { id } = await suite.create(suite.single, { memberId });

    const answer = await upsert('visit-1', { fieldValues: { since: '2024-01-01' }, memberId }, suite.single);

    const fieldValues = { reason: 'Cough', since: '2024-01-01' };
    expect(answer).toMatchObject({ status: 200, body: { id, externalId: 'visit-1', fieldValues } });
  });

  it.each(['0', '00012', '-5', '12345678901234567890', '9007199254740993'])(
    'accepts an external id of digits: %s',
    async (externalId) => {
      const first = await upsert(externalId);
      const second = await upsert(externalId);
      expect(first).toMatchObject({ status: 200, body: { externalId } });
      expect(second.body.id).toBe(first.body.id);
    },
  );

  it('decodes the external id from the path', async () => {
    const externalId = 'Ärzte/7 & 8';
    expect(await upsert(encodeURIComponent(externalId))).toMatchObject({ status: 200, body: { externalId } });
  });

  it('moves the record with a known external id to the named member', async () => {
    const { id } = (await upsert('visit-1')).body;

    const { memberId } = workspace.member;
    const answer = await upsert('visit-1', { fieldValues: { reason: 'Fever' }, memberId });

    expect(answer).toMatchObject({ status: 200, body: { id, externalId: 'visit-1', memberId } });
  });

  it('refuses to move a record to a member that already has a single record', async () => {
    const { memberId } = workspace.member;
    await upsert('mine', cough, suite.single);
    await upsert('theirs', { ...cough, memberId }, suite.single);

    const { status, body } = await upsert('mine', { fieldValues: {}, memberId }, suite.single);

    expect([status, body.code, pointersOf(body)]).toEqual([400, 'duplicate', ['/memberId']]);
  });

  it.each<[string, object, string[], string?]>([
    ['a missing required value', { fieldValues: {} }, ['/fieldValues/reason']],
    ['a value that does not fit', { fieldValues: { reason: 'A', since: 'x' } }, ['/fieldValues/since']],
    ['no values', {}, ['/fieldValues']],
    ['an unknown property', { ...cough, externalId: 'x' }, ['/externalId']],
    ['an access mode there is not', { ...cough, accessMode: 4 }, ['/accessMode']],
    ['a task there is not', { ...cough, assignmentTaskId: 999_999_999 }, ['/assignmentTaskId']],
    ['an external id that is too long', cough, ['/external_id'], 'x'.repeat(201)],
  ])('refuses %s', async (_, body, pointers, externalId = 'visit-1') => {
    const answer = await upsert(externalId, body);
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, pointers]);
  });

  it('returns 404 for an unknown member, and refuses an assistant', async () => {
    const assistant = await createAssistant(workspace.context(), { name: 'Guide', instructions: '' });
    const upsertFor = (memberId: number) => upsert('visit-1', { ...cough, memberId });
    expect((await upsertFor(999_999_999)).status).toBe(404);
    expect((await upsertFor(otherWorkspace.member.memberId)).status).toBe(404);
    const refused = await upsertFor(assistant.memberId);
    expect([refused.status, pointersOf(refused.body)]).toEqual([400, ['/memberId']]);
  });

  it('accepts only a task of the record’s own member', async () => {
    const rootTask = { name: 'Talk', taskType: 'conversation', prompt: 'Ask how they are.', autoNext: true };
    const { memberId } = workspace.member;
    const { tasks } = await addAssignment(workspace, { rootTask, memberId });
    await upsert('mine');
    await upsert('theirs', { ...cough, memberId });

    const answering = { fieldValues: {}, assignmentTaskId: tasks[0]?.id };

    expect((await upsert('theirs', answering)).status).toBe(200);
    expect(pointersOf((await upsert('mine', answering)).body)).toEqual(['/assignmentTaskId']);
  });

  it('creates one record for fifty concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        upsert('visit-1', { fieldValues: { reason: `Day ${index}` } }),
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
    const { memberId } = workspace.member;

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        upsert(`visit-${index}`, { ...cough, memberId }, suite.single),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(await suite.countRows('data_records', { data_type_id: suite.single.id })).toBe(1);
  });
});
