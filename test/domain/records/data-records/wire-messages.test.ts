import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { createDataRecord } from '../../../../domain/records/data-records/create-data-record.js';
import { prefetchNewRecord } from '../../../../domain/records/data-records/create-in-one-statement.js';
import { saveDataRecords } from '../../../../domain/records/data-records/save-data-records.js';
import { updateDataRecord } from '../../../../domain/records/data-records/update-data-record.js';
import { upsertDataRecord } from '../../../../domain/records/data-records/upsert-data-record.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { addRecordType, type TestType } from '../../../support/use-records.js';
import { useWorkspace } from '../../../support/use-workspace.js';

const suite = useWorkspace();
let context: CommandContext;
let type: TestType;
beforeAll(async () => {
  context = suite.workspace.context();
  type = await addRecordType(suite.workspace, true);
});
afterEach(() => vi.restoreAllMocks());

/** How many messages to PostgreSQL it takes, the commit included. */
async function messagesFor(work: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const { length } = asked.mock.calls;
  asked.mockRestore();
  return length;
}

const fieldValues = { reason: 'Cough' };

describe('how often PostgreSQL is asked', () => {
  // Asks as well how much the workspace stores, which is relied on for ten seconds.
  beforeEach(() => createDataRecord(context, type.id, { fieldValues }));

  it('to create a record: once, where its type was read with the caller; else three times', async () => {
    const asked = await context.db.readInWorkspace(context.actor.workspaceId, (tx) =>
      prefetchNewRecord(tx, type.id),
    );

    expect(await messagesFor(() => createDataRecord(context, type.id, { fieldValues }, asked))).toBe(1);
    expect(await messagesFor(() => createDataRecord(context, type.id, { fieldValues }))).toBe(3);
  });

  it('to change one: three times', async () => {
    const { id } = await createDataRecord(context, type.id, { fieldValues });
    const changes = { fieldValues: { reason: 'Fever' } };

    expect(await messagesFor(() => updateDataRecord(context, type.id, id, changes))).toBe(3);
  });

  it('to make one be: four times, as it is looked for', async () => {
    const input = { fieldValues, externalId: 'visit-1' };

    expect(await messagesFor(() => upsertDataRecord(context, type.id, input))).toBe(4);
  });

  it('to write a hundred: four times; to write a thousand, each statement by itself: six times', async () => {
    const save = (count: number) => {
      const records = Array.from({ length: count }, (_, index) => ({
        fieldValues,
        externalId: `${count}-${index}`,
      }));
      return messagesFor(() => saveDataRecords(context, type.id, records, { atomic: false }));
    };

    expect(await save(100)).toBe(4);
    expect(await save(1_000)).toBe(6);
  });

  it('to refuse a row of records of which each wants the unique value of the one before: as often as one', async () => {
    const badges = await createDataType(context, {
      name: 'Badges',
      slug: 'badges',
      isCollection: true,
      fields: [
        { slug: 'badge', name: 'Badge', fieldType: 'text', unique: true },
        { slug: 'note', name: 'Note', fieldType: 'text' },
      ],
    });
    const save = (count: number, badgeOf: (index: number) => string, note: string) =>
      saveDataRecords(
        context,
        badges.id,
        Array.from({ length: count }, (_, index) => [
          { externalId: `e-${index}`, fieldValues: { badge: badgeOf(index) } },
          { externalId: `e-${index}`, fieldValues: { note } },
        ]).flat(),
        { atomic: false },
      );
    await save(40, (index) => `Badge ${index}`, 'before');
    await createDataRecord(context, badges.id, { fieldValues: { badge: 'taken' } });
    const wanted = (index: number) => (index === 0 ? 'Taken' : `badge ${index - 1}`);

    const forOne = await messagesFor(() => save(1, wanted, 'one'));
    const forAll = await messagesFor(async () => {
      expect(await save(40, wanted, 'all')).toMatchObject({ failed: 40, updated: 40 });
    });

    expect(forAll).toBe(forOne);
    expect(await save(40, (index) => `BADGE ${index}`, 'all')).toMatchObject({ failed: 0 });
  });
});
