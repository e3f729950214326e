import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import {
  createDataRecord,
  prefetchNewRecord,
} from '../../../../domain/records/data-records/create-data-record.js';
import { upsertDataRecord } from '../../../../domain/records/data-records/save-data-record.js';
import { updateDataRecord } from '../../../../domain/records/data-records/update-data-record.js';
import { saveDataRecords } from '../../../../domain/records/data-records/writing/save-data-records.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { deleteDataType } from '../../../../domain/records/data-types/delete-data-type.js';
import { updateDataType } from '../../../../domain/records/data-types/update-data-type.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { addRecordType, recordFields, type TestType } from '../../../support/records/use-records.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { createWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let context: CommandContext;
let type: TestType;
beforeAll(() => {
  context = suite.workspace.context();
});
beforeEach(async () => {
  type = await addRecordType(suite.workspace, true);
});

const withWard = [...recordFields, { slug: 'ward', name: 'Ward', fieldType: 'text', required: true }];
const fieldValues = { reason: 'Cough', contact: '+12025550147' };
const asked = () =>
  context.db.readInWorkspace(context.actor.workspaceId, (tx) => prefetchNewRecord(tx, type.id));
const create = (seen?: Awaited<ReturnType<typeof asked>>) =>
  createDataRecord(context, type.id, { fieldValues }, seen);
const rowsOf = (table: string, recordId: number) =>
  context.db.readInWorkspace(context.actor.workspaceId, (tx) =>
    tx(table)
      .where({ [table === 'data_records' ? 'id' : 'record_id']: recordId })
      .orderBy(table === 'data_record_values' ? ['field', 'text_value'] : ['id']),
  );

/** Removes the columns that differ between any two records. */
function comparable(rows: Record<string, unknown>[]): object[] {
  return rows.map(
    ({ id: _id, uuid: _uuid, record_id: _record, created_at: _c, updated_at: _u, ...rest }) => rest,
  );
}

/** The number of messages to PostgreSQL, including the commit. */
async function messagesFor(work: () => Promise<unknown>): Promise<number> {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return sent.mock.calls.length;
  } finally {
    sent.mockRestore();
  }
}

describe('the number of messages to PostgreSQL', () => {
  // Also reads how much the workspace stores, a value that is cached for ten seconds.
  beforeEach(() => create());

  it('is one to create a record with a prefetched type, and three without', async () => {
    const seen = await asked();
    expect(await messagesFor(() => create(seen))).toBe(1);
    expect(await messagesFor(() => create())).toBe(3);
  });

  it('is three to change a record', async () => {
    const { id } = await create();
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

describe('createDataRecord with a prefetch', () => {
  it('stores the same rows as writeOneRecord', async () => {
    const fields = recordFields.map((field) => ({ ...field, shouldIndex: true }));
    await updateDataType(context, type.id, { fields });
    const seen = await asked();
    await create();

    const usual = await create();
    const atOnce = await create(seen);

    expect(Object.keys(atOnce).sort()).toEqual(Object.keys(usual).sort());
    const { id, uuid, createdAt, updatedAt } = atOnce;
    expect(atOnce).toEqual({ ...usual, id, uuid, createdAt, updatedAt });
    for (const table of ['data_records', 'data_record_changes', 'data_record_values']) {
      const rows = await rowsOf(table, id);
      expect(rows).not.toEqual([]);
      expect(comparable(rows)).toEqual(comparable(await rowsOf(table, usual.id)));
    }
  });

  it('checks the record against the present type when the type changed after the read', async () => {
    const seen = await asked();
    await updateDataType(context, type.id, { fields: withWard });
    await expect(create(seen)).rejects.toMatchObject({
      kind: 'invalid',
      errors: [{ pointer: expect.stringContaining('ward') }],
    });
  });

  it('waits for a concurrent change of the type, and checks the record against its result', async () => {
    const seen = await asked();
    let creating: Promise<unknown> | undefined;
    await context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
      await tx('data_types').where({ id: type.id }).forUpdate();
      creating = create(seen);
      creating.catch(() => {});
      await whenWaitedFor(tx);
      await tx('data_types')
        .where({ id: type.id })
        .update({ fields: JSON.stringify(withWard) });
    });

    await expect(creating).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('rejects with 404 when the type was deleted after the read', async () => {
    const seen = await asked();
    await deleteDataType(context, type.id);
    await expect(create(seen)).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  it('rejects members of other workspaces and assistants', async () => {
    const seen = await asked();
    const stranger = (await createWorkspace(suite.database.database)).member;
    const assistant = await createAssistant(context, { name: 'Guide', instructions: '' });
    const createFor = (memberId: number) =>
      createDataRecord(context, type.id, { fieldValues, memberId }, seen);

    await expect(createFor(stranger.memberId)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(createFor(assistant.memberId)).rejects.toMatchObject({ kind: 'invalid' });
    await expect(createFor(suite.workspace.member.memberId)).resolves.toMatchObject({
      memberId: suite.workspace.member.memberId,
      memberName: suite.workspace.member.row.name,
    });
  });

  it('uses writeOneRecord, which stores the event, when a rule exists for it', async () => {
    const seen = await asked();
    expect(seen?.subscribed.size).toBe(0);
    await addEventRule(suite.workspace, { eventType: 'data_record:created' });

    const { id } = await create(await asked());

    const events = await context.db.readInWorkspace(context.actor.workspaceId, (tx) =>
      tx('events').where({ data_record_id: id }),
    );
    expect(events).toHaveLength(1);
  });
});
