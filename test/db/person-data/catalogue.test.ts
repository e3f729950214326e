import { describe, expect, it } from 'vitest';
import { nameOf, namesIn, personalColumns } from '../../../db/lib/personal-data-inventory.js';
import { personTables } from '../../../db/person-data/catalogue.js';
import { useConnection, useDatabase } from '../../support/db/use-database.js';
import { declaredTables, heldByColumn, textlessTypes } from '../../support/person-data/declared-tables.js';

const database = useDatabase();
const query = useConnection(() => database.superuserUrl);

interface StoredColumn {
  table: string;
  column: string;
  type: string;
  isNullable: boolean;
}

async function storedColumns(): Promise<StoredColumn[]> {
  const { rows } = await query<StoredColumn>(
    `select table_schema || '.' || table_name as table, column_name as column, data_type as type,
       is_nullable = 'YES' as "isNullable"
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema in ('public', 'identity') and table_type = 'BASE TABLE'`,
  );
  return rows;
}

describe('the declarations of what is stored about a person', () => {
  it('name every table of the database once, and no other', async () => {
    const stored = new Set((await storedColumns()).map(({ table }) => table));
    expect(declaredTables.map(({ name }) => name).toSorted()).toEqual([...stored].toSorted());
  });

  it('name every column of each table once, and no other', async () => {
    const stored = await storedColumns();
    for (const { name, holds } of declaredTables) {
      const columns = stored.filter(({ table }) => table === name).map(({ column }) => column);
      expect({ name, named: Object.keys(holds).toSorted() }).toEqual({ name, named: columns.toSorted() });
    }
  });

  it('say what each column holds that can hold a text', async () => {
    const columns = (await storedColumns()).filter(({ type }) => !textlessTypes.includes(type));
    const names = columns.map(({ table, column }) => `${table}.${column}`);
    expect(names.filter((name) => heldByColumn.get(name) === undefined)).toEqual([]);
  });

  it('name columns that there are', () => {
    const wrong = personTables.flatMap(({ name, model, exported, emptied }) => {
      const { hiddenColumns, leftOut, columns } = 'file' in exported ? exported : {};
      const named = [hiddenColumns, leftOut].flatMap(namesIn);
      return [...named, ...Object.keys({ ...columns, ...emptied })]
        .filter((column) => !(column in model.holds))
        .map((column) => `${name}.${column}`);
    });
    expect(wrong).toEqual([]);
  });

  it('empty no column that cannot be null, unless they say with what', async () => {
    const emptied = new Set(
      personTables.flatMap(({ name, emptied }) =>
        Object.entries(emptied).flatMap(([column, value]) => (value === 'null' ? [`${name}.${column}`] : [])),
      ),
    );
    const needed = (await storedColumns()).filter(({ isNullable }) => !isNullable);
    const names = needed.map(({ table, column }) => `${table}.${column}`);
    expect(names.filter((name) => emptied.has(name))).toEqual([]);
  });

  it('give the files of an archive different names', () => {
    const files = personTables.flatMap(({ area, exported }) =>
      'file' in exported ? [`${area}/${exported.file}`] : [],
    );
    expect(new Set(files).size).toBe(files.length);
  });
});

describe.each(declaredTables)('the declaration of $name', (table) => {
  it('has an owner for what is personal, and erases it', () => {
    const declared = personTables.find(({ name }) => name === table.name);
    const personal = personalColumns(table);
    if (declared === undefined) {
      expect(personal).toEqual([]);
      return;
    }
    const { erased, emptied } = declared;
    if (erased.by === 'cascade')
      expect(declaredTables.map(({ name }) => name)).toContain(nameOf(erased.from));
    const digested = erased.by === 'digest' ? [erased.column] : [];
    const kept = ['empty', 'digest', 'keep'].includes(erased.by) ? personal : [];
    expect(kept.filter((column) => !(column in emptied) && !digested.includes(column))).toEqual([]);
  });
});
