import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import {
  createDataRecord,
  prefetchNewRecord,
} from '../../../../domain/records/data-records/create-data-record.js';
import { upsertDataRecord } from '../../../../domain/records/data-records/save-data-record.js';
import { updateDataRecord } from '../../../../domain/records/data-records/update-data-record.js';
import { saveDataRecords } from '../../../../domain/records/data-records/writing/save-data-records.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { addRecordType, type TestType } from '../../../support/records/use-records.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let context: CommandContext;
let type: TestType;
beforeAll(async () => {
  context = suite.workspace.context();
  type = await addRecordType(suite.workspace, true);
});
afterEach(() => vi.restoreAllMocks());

/** The number of messages to PostgreSQL, including the commit. */
async function messagesFor(work: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const { length } = asked.mock.calls;
  asked.mockRestore();
  return length;
}

const fieldValues = { reason: 'Cough' };

describe('the number of messages to PostgreSQL', () => {
  // Also reads how much the workspace stores, a value that is cached for ten seconds.
  beforeEach(() => createDataRecord(context, type.id, { fieldValues }));

  it('is one to create a record with a prefetched type, and three without', async () => {
    const asked = await context.db.readInWorkspace(context.actor.workspaceId, (tx) =>
      prefetchNewRecord(tx, type.id),
    );

    expect(await messagesFor(() => createDataRecord(context, type.id, { fieldValues }, asked))).toBe(1);
    expect(await messagesFor(() => createDataRecord(context, type.id, { fieldValues }))).toBe(3);
  });

  it('is three to change a record', async () => {
    const { id } = await createDataRecord(context, type.id, { fieldValues });
    const changes = { fieldValues: { reason: 'Fever' } };

    expect(await messagesFor(() => updateDataRecord(context, type.id, { id }, changes))).toBe(3);
  });

  it('is four to upsert a record, which has to be looked up', async () => {
    const input = { fieldValues, externalId: 'visit-1' };

    expect(await messagesFor(() => upsertDataRecord(context, type.id, input))).toBe(4);
  });

  it('is four to write a hundred records, and six for a thousand, in which each statement is sent by itself', async () => {
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

  it('does not grow with the number of records that claim the unique value of the record before', async () => {
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
