import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InvalidInput, NotFound } from '../../../../domain/lib/errors.js';
import { type RecordToWrite, writeRecord } from '../../../../domain/records/data-records/write-record.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { recordsOfMember } from '../../../support/records/records-of-member.js';
import { addAssignment, addMemberRow } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
let memberId: number;

beforeAll(async () => {
  const fields = [
    { slug: 'reason', name: 'Reason', fieldType: 'text', required: true },
    { slug: 'since', name: 'Since', fieldType: 'date' },
  ];
  const context = workspace.context();
  await createDataType(context, { name: 'Intake', slug: 'intake', isCollection: false, fields });
  await createDataType(context, { name: 'Symptoms', slug: 'symptoms', isCollection: true, fields });
});

beforeEach(async () => {
  memberId = (await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id })).id;
});

const inputOf = (input: Partial<RecordToWrite>): RecordToWrite => ({
  dataTypeSlug: 'intake',
  memberId,
  values: {},
  assignmentTaskId: null,
  isCollecting: false,
  defaultRegion: 'US',
  actorMemberId: null,
  fileGiver: null,
  now: new Date(),
  ...input,
});
const write = (input: Partial<RecordToWrite>) => workspace.within((tx) => writeRecord(tx, inputOf(input)));
const records = () => workspace.within((tx) => recordsOfMember(tx, memberId));

describe('writeRecord', () => {
  it('fills a single record step by step, with required values in any order', async () => {
    await write({ values: { since: '2024-01-01' } });
    await write({ values: { reason: 'Cough' } });
    expect(await records()).toMatchObject([{ fieldValues: { since: '2024-01-01', reason: 'Cough' } }]);
  });

  it('adds a record to a collection with each write', async () => {
    await write({ dataTypeSlug: 'symptoms', values: { reason: 'Cough' } });
    await write({ dataTypeSlug: 'symptoms', values: { reason: 'Fever' } });
    expect(await records()).toMatchObject([
      { fieldValues: { reason: 'Cough' } },
      { fieldValues: { reason: 'Fever' } },
    ]);
  });

  it('fills one record of a collection per collect task', async () => {
    const configuration = { dataTypeSlug: 'symptoms', fieldSlugs: ['reason', 'since'] };
    const rootTask = { name: 'Symptoms', taskType: 'collect', configuration, autoNext: true };
    const first = (await addAssignment(workspace, { rootTask, memberId })).tasks[0]?.id ?? null;
    const second = (await addAssignment(workspace, { rootTask, memberId })).tasks[0]?.id ?? null;
    const collect = (assignmentTaskId: number | null, values: RecordToWrite['values']) =>
      write({ dataTypeSlug: 'symptoms', values, assignmentTaskId, isCollecting: true });

    await collect(first, { reason: 'Cough' });
    await collect(first, { since: '2024-01-01' });
    await collect(second, { reason: 'Fever' });

    expect(await records()).toMatchObject([
      { assignmentTaskId: first, fieldValues: { reason: 'Cough', since: '2024-01-01' } },
      { assignmentTaskId: second, fieldValues: { reason: 'Fever' } },
    ]);
  });

  it('adds a record to a collection with each write of a task that does not collect', async () => {
    const rootTask = { name: 'Talk', taskType: 'conversation', prompt: 'Ask how they are.', autoNext: true };
    const { tasks } = await addAssignment(workspace, { rootTask, memberId });
    const assignmentTaskId = tasks[0]?.id ?? null;

    await write({ dataTypeSlug: 'symptoms', values: { reason: 'Cough' }, assignmentTaskId });
    await write({ dataTypeSlug: 'symptoms', values: { reason: 'Fever' }, assignmentTaskId });

    expect(await records()).toMatchObject([
      { assignmentTaskId, fieldValues: { reason: 'Cough' } },
      { assignmentTaskId, fieldValues: { reason: 'Fever' } },
    ]);
  });

  it('creates one record for ten writes at once', async () => {
    await Promise.all(Array.from({ length: 10 }, () => write({ values: { reason: 'Cough' } })));
    expect(await records()).toHaveLength(1);
  });

  it('rejects wrong values before it writes, so that the transaction can continue', async () => {
    const outcome = await workspace.within(async (tx) => {
      const refused = await writeRecord(tx, inputOf({ values: { since: 'soon' } })).catch((error) => error);
      await writeRecord(tx, inputOf({ values: { reason: 'Cough' } }));
      return refused;
    });

    expect(outcome).toBeInstanceOf(InvalidInput);
    expect(outcome.errors).toMatchObject([{ pointer: '/fieldValues/since' }]);
    expect(await records()).toMatchObject([{ fieldValues: { reason: 'Cough' } }]);
  });

  it('rejects an unknown data type', async () => {
    await expect(write({ dataTypeSlug: 'nowhere' })).rejects.toBeInstanceOf(NotFound);
  });
});
