import { describe, expect, it } from 'vitest';
import type { Tx } from '../../../../db/database.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import { useRecords } from '../../../support/records/use-records.js';
import { randomTag } from '../../../support/workspace/factories.js';

const suite = useRecords();
const fields = ['a', 'b'].map((slug) => ({ slug, name: slug, fieldType: 'text', unique: true }));

async function newRecord(): Promise<{ id: number; dataTypeId: number; path: string }> {
  const input = { name: 'Badges', slug: `badges-${randomTag()}`, isCollection: true, fields };
  const { id: dataTypeId } = await createDataType(suite.workspace.context(), input);
  const records = `/data-types/${dataTypeId}/records`;
  const { id } = (await suite.asAdmin('POST', records, { fieldValues: { a: 'x', b: 'y' } })).body;
  return { id, dataTypeId, path: `${records}/${id}` };
}

const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);

/** Writes a value of a record as `saveSearchableValues` stores it. */
const storeValue = (tx: Tx, dataTypeId: number, recordId: number, field: string, text: string) =>
  tx('data_record_values').insert({
    workspace_id: suite.workspace.workspaceId,
    data_type_id: dataTypeId,
    record_id: recordId,
    retired: false,
    is_unique: true,
    field,
    text_value: text,
  });

/** Waits until another transaction waits for a lock of this one. */
async function waitedFor(tx: Tx): Promise<void> {
  const { rows } = await tx.raw('select pg_backend_pid() as pid');
  await waitFor('somebody waits for the transaction', () =>
    inWorkspace(async (other) => {
      const waiting = await other.raw(
        'select 1 from pg_stat_activity where ?::int = any(pg_blocking_pids(pid))',
        [rows[0].pid],
      );
      return waiting.rows.length > 0;
    }),
  );
}

describe('a record with concurrent writers', () => {
  it('is deleted after a concurrent change of its type that rewrites its values', async () => {
    const { id, dataTypeId, path } = await newRecord();

    const deleting = await inWorkspace(async (tx) => {
      await tx('data_types').where({ id: dataTypeId }).forUpdate();
      await tx('data_record_values').where({ data_type_id: dataTypeId, field: 'a' }).delete();
      const deletion = suite.asAdmin('DELETE', path);
      await waitedFor(tx);
      await storeValue(tx, dataTypeId, id, 'a', 'x');
      return { deletion };
    });

    expect((await deleting.deletion).status).toBe(200);
    expect(await suite.countRows('data_record_values', { record_id: id })).toBe(0);
  });

  it('is restored although another transaction locks its unique values in another order', async () => {
    const { dataTypeId, path } = await newRecord();
    const records = `/data-types/${dataTypeId}/records`;
    const other = (await suite.asAdmin('POST', records, { fieldValues: {} })).body.id;
    await suite.asAdmin('POST', `${path}/retire`, {});

    let restoring: ReturnType<typeof suite.asAdmin> | undefined;
    const wanted = inWorkspace(async (tx) => {
      await storeValue(tx, dataTypeId, other, 'b', 'y');
      restoring = suite.asAdmin('POST', `${path}/restore`);
      await waitedFor(tx);
      // After a second, PostgreSQL aborts a waiting transaction: the restore or, on a slow machine, this one.
      await storeValue(tx, dataTypeId, other, 'a', 'x');
      throw new Error('the other does without');
    });

    await expect(wanted).rejects.toThrow();
    expect(await restoring).toMatchObject({ status: 200, body: { fieldValues: { a: 'x', b: 'y' } } });
  });
});
