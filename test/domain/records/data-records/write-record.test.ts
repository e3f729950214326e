import { beforeAll, describe, expect, it } from 'vitest';
import { InvalidInput, NotFound } from '../../../../domain/lib/errors.js';
import { type RecordToWrite, writeRecord } from '../../../../domain/records/data-records/write-record.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { recordsOfMember } from '../../../support/records/records-of-member.js';
import { addAssignment, addMemberRow } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

beforeAll(async () => {
  const fields = [
    { slug: 'reason', name: 'Reason', fieldType: 'text', required: true },
    { slug: 'since', name: 'Since', fieldType: 'date' },
  ];
  const context = workspace.context();
  await createDataType(context, { name: 'Intake', slug: 'intake', isCollection: false, fields });
  await createDataType(context, { name: 'Symptoms', slug: 'symptoms', isCollection: true, fields });
});

const write = (memberId: number, input: Partial<RecordToWrite>) =>
  workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    writeRecord(tx, {
      dataTypeSlug: 'intake',
      memberId,
      values: {},
      assignmentTaskId: null,
      isCollecting: false,
      defaultRegion: 'US',
      actorMemberId: null,
      now: new Date(),
      ...input,
    }),
  );
const records = (memberId: number) =>
  workspace.database.inWorkspace(workspace.workspaceId, (tx) => recordsOfMember(tx, memberId));
const newMember = async () => (await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id })).id;

describe('writeRecord', () => {
  it('fills a single record step by step, with required values in any order', async () => {
    const memberId = await newMember();

    await write(memberId, { values: { since: '2024-01-01' } });
    await write(memberId, { values: { reason: 'Cough' } });

    expect(await records(memberId)).toMatchObject([
      { fieldValues: { since: '2024-01-01', reason: 'Cough' } },
    ]);
  });

  it('adds a record to a collection with each write', async () => {
    const memberId = await newMember();

    await write(memberId, { dataTypeSlug: 'symptoms', values: { reason: 'Cough' } });
    await write(memberId, { dataTypeSlug: 'symptoms', values: { reason: 'Fever' } });

    expect(await records(memberId)).toMatchObject([
      { fieldValues: { reason: 'Cough' } },
      { fieldValues: { reason: 'Fever' } },
    ]);
  });

  it('fills one record of a collection per collect task', async () => {
    const memberId = await newMember();
    const configuration = { dataTypeSlug: 'symptoms', fieldSlugs: ['reason', 'since'] };
    const rootTask = { name: 'Symptoms', taskType: 'collect', configuration };
    const first = (await addAssignment(workspace, { rootTask, memberId })).tasks[0]?.id ?? null;
    const second = (await addAssignment(workspace, { rootTask, memberId })).tasks[0]?.id ?? null;
    const collect = (assignmentTaskId: number | null, values: RecordToWrite['values']) =>
      write(memberId, { dataTypeSlug: 'symptoms', values, assignmentTaskId, isCollecting: true });

    await collect(first, { reason: 'Cough' });
    await collect(first, { since: '2024-01-01' });
    await collect(second, { reason: 'Fever' });

    expect(await records(memberId)).toMatchObject([
      { assignmentTaskId: first, fieldValues: { reason: 'Cough', since: '2024-01-01' } },
      { assignmentTaskId: second, fieldValues: { reason: 'Fever' } },
    ]);
  });

  it('adds a record to a collection with each write of a task that does not collect', async () => {
    const memberId = await newMember();
    const rootTask = { name: 'Talk', taskType: 'conversation', prompt: 'Ask how they are.', autoNext: true };
    const { tasks } = await addAssignment(workspace, { rootTask, memberId });
    const assignmentTaskId = tasks[0]?.id ?? null;

    await write(memberId, { dataTypeSlug: 'symptoms', values: { reason: 'Cough' }, assignmentTaskId });
    await write(memberId, { dataTypeSlug: 'symptoms', values: { reason: 'Fever' }, assignmentTaskId });

    expect(await records(memberId)).toMatchObject([
      { assignmentTaskId, fieldValues: { reason: 'Cough' } },
      { assignmentTaskId, fieldValues: { reason: 'Fever' } },
    ]);
  });

  it('creates one record for ten writes at once', async () => {
    const memberId = await newMember();

    await Promise.all(Array.from({ length: 10 }, () => write(memberId, { values: { reason: 'Cough' } })));

    expect(await records(memberId)).toHaveLength(1);
  });

  it('rejects wrong values before it writes, so that the transaction can continue', async () => {
    const memberId = await newMember();

    const outcome = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
      const input = {
        dataTypeSlug: 'intake',
        memberId,
        assignmentTaskId: null,
        isCollecting: false,
        defaultRegion: 'US',
      };
      const writer = { actorMemberId: null, now: new Date() };
      const refused = await writeRecord(tx, { ...input, ...writer, values: { since: 'soon' } }).catch(
        (error) => error,
      );
      await writeRecord(tx, { ...input, ...writer, values: { reason: 'Cough' } });
      return refused;
    });

    expect(outcome).toBeInstanceOf(InvalidInput);
    expect(outcome.errors).toMatchObject([{ pointer: '/fieldValues/since' }]);
    expect(await records(memberId)).toMatchObject([{ fieldValues: { reason: 'Cough' } }]);
  });

  it('rejects an unknown data type', async () => {
    await expect(write(workspace.member.memberId, { dataTypeSlug: 'nowhere' })).rejects.toBeInstanceOf(
      NotFound,
    );
  });
});
