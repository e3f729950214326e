import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import {
  createDataRecord,
  prefetchNewRecord,
} from '../../../../domain/records/data-records/create-data-record.js';
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

const fieldValues = { reason: 'Cough', contact: '+12025550147' };
const asked = () =>
  context.db.readInWorkspace(context.actor.workspaceId, (tx) => prefetchNewRecord(tx, type.id));
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

describe('createDataRecord with a prefetch', () => {
  it('stores the same rows as writeOneRecord', async () => {
    const fields = recordFields.map((field) => ({ ...field, shouldIndex: true }));
    await updateDataType(context, type.id, { fields });
    const seen = await asked();
    await createDataRecord(context, type.id, { fieldValues });

    const usual = await createDataRecord(context, type.id, { fieldValues });
    const atOnce = await createDataRecord(context, type.id, { fieldValues }, seen);

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
    const fields = [...recordFields, { slug: 'ward', name: 'Ward', fieldType: 'text', required: true }];
    await updateDataType(context, type.id, { fields });

    await expect(createDataRecord(context, type.id, { fieldValues }, seen)).rejects.toMatchObject({
      kind: 'invalid',
      errors: [{ pointer: expect.stringContaining('ward') }],
    });
  });

  it('waits for a concurrent change of the type, and checks the record against its result', async () => {
    const seen = await asked();
    let creating: Promise<unknown> | undefined;
    await context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
      await tx('data_types').where({ id: type.id }).forUpdate();
      creating = createDataRecord(context, type.id, { fieldValues }, seen);
      creating.catch(() => {});
      await whenWaitedFor(tx);
      const fields = [...recordFields, { slug: 'ward', name: 'Ward', fieldType: 'text', required: true }];
      await tx('data_types')
        .where({ id: type.id })
        .update({ fields: JSON.stringify(fields) });
    });

    await expect(creating).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('rejects with 404 when the type was deleted after the read', async () => {
    const seen = await asked();
    await deleteDataType(context, type.id);

    await expect(createDataRecord(context, type.id, { fieldValues }, seen)).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  it('rejects members of other workspaces and assistants', async () => {
    const seen = await asked();
    const stranger = (await createWorkspace(suite.database.database)).member;
    const assistant = await createAssistant(context, { name: 'Guide', instructions: '' });
    const create = (memberId: number) => createDataRecord(context, type.id, { fieldValues, memberId }, seen);

    await expect(create(stranger.memberId)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(create(assistant.memberId)).rejects.toMatchObject({ kind: 'invalid' });
    await expect(create(suite.workspace.member.memberId)).resolves.toMatchObject({
      memberId: suite.workspace.member.memberId,
      memberName: suite.workspace.member.row.name,
    });
  });

  it('uses writeOneRecord, which stores the event, when a rule exists for it', async () => {
    const seen = await asked();
    expect(seen?.subscribed.size).toBe(0);
    await addEventRule(suite.workspace, { eventType: 'data_record:created' });

    const { id } = await createDataRecord(context, type.id, { fieldValues }, await asked());

    const events = await context.db.readInWorkspace(context.actor.workspaceId, (tx) =>
      tx('events').where({ data_record_id: id }),
    );
    expect(events).toHaveLength(1);
  });
});
