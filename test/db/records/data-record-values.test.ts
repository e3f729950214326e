import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { down, up } from '../../../db/migrations/0016-data-record-values.js';
import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import { retireDataRecord } from '../../../domain/records/data-records/record-retirement.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: stage.database.migratorUrl });
});
afterAll(() => migrator.destroy());

const stored = () =>
  migrator('data_record_values')
    .select('record_id', 'field', 'text_value', 'number_value', 'retired')
    .orderByRaw('record_id, field, text_value, number_value');

it('the migration of data_record_values fills in the values of existing records', async () => {
  const context = stage.workspace.context();
  const fields = [
    { slug: 'name', name: 'Name', fieldType: 'text', shouldIndex: true },
    { slug: 'size', name: 'Size', fieldType: 'number', shouldIndex: true },
    { slug: 'note', name: 'Note', fieldType: 'text' },
  ];
  const { id } = await createDataType(context, { name: 'B', slug: 'boxes', isCollection: true, fields });
  const values = [{ name: 'Ｂox  One', size: 1.5 }, { name: 'BOX two', note: 'x' }, {}];
  const records = [];
  for (const fieldValues of values) records.push(await createDataRecord(context, id, { fieldValues }));
  await retireDataRecord(context, id, Number(records[1]?.id), null);
  const before = await stored();
  expect(before).toHaveLength(10);

  await migrator.transaction(down);
  await migrator.transaction(up);

  expect(await stored()).toEqual(before);
});
