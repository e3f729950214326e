import { describe, expect, it } from 'vitest';
import { namesIn } from '../../../db/lib/person-data.js';
import { personTables, tablesByArea } from '../../../db/person-data/catalogue.js';
import { explained } from '../../privacy/columns.js';
import { useConnection, useDatabase } from '../../support/db/use-database.js';

const database = useDatabase();
const query = useConnection(() => database.superuserUrl);
const declared = Object.assign({}, ...Object.values(tablesByArea)) as Record<
  string,
  (typeof tablesByArea)[string][string]
>;
const titled = Object.entries(declared);

async function columnsOf(): Promise<Map<string, { column: string; type: string }[]>> {
  const { rows } = await query<{ name: string; column: string; type: string }>(
    `select table_schema || '.' || table_name as name, column_name as column, data_type as type
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema in ('public', 'identity') and table_type = 'BASE TABLE'`,
  );
  const found = new Map<string, { column: string; type: string }[]>();
  for (const { name, ...column } of rows) found.set(name, [...(found.get(name) ?? []), column]);
  return found;
}

describe('the declarations of what is stored about a person', () => {
  it('name every table of the database once, and no other', async () => {
    const names = Object.values(tablesByArea).flatMap((tables) => Object.keys(tables));
    expect(names.toSorted()).toEqual([...(await columnsOf()).keys()].toSorted());
  });

  it('name every column of each table once, and no other', async () => {
    for (const [table, columns] of await columnsOf()) {
      const { personal, configuration, secret, rest } = declared[table] ?? { rest: '' };
      const named = [personal, configuration, secret, rest].flatMap(namesIn);
      expect({ table, named: named.toSorted() }).toEqual({
        table,
        named: columns.map(({ column }) => column).toSorted(),
      });
    }
  });

  it('agree with the privacy story on which columns hold texts of people', async () => {
    const unable = ['bigint', 'integer', 'smallint', 'boolean', 'uuid', 'timestamp with time zone'];
    const wrong: string[] = [];
    for (const [table, columns] of await columnsOf()) {
      const { personal, configuration } = declared[table] ?? {};
      const texts = new Set([personal, configuration].flatMap(namesIn));
      for (const { column, type } of columns) {
        const isExplained = explained[`${table}.${column}`] !== undefined || unable.includes(type);
        if (!isExplained && !texts.has(column)) wrong.push(`${table}.${column}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('give the files of an archive different names', () => {
    const files = personTables.flatMap(({ area, exported }) =>
      'file' in exported ? [`${area}/${exported.file}`] : [],
    );
    expect(new Set(files).size).toBe(files.length);
  });
});

describe.each(titled)('the declaration of %s', (name, table) => {
  it('has an owner for what is personal, and erases it', () => {
    if (table.about === undefined) {
      expect(table.personal).toBeUndefined();
      return;
    }
    const { erased } = table;
    if (erased.by === 'cascade') expect(declared[erased.from]).toBeDefined();
    const emptied = erased.by === 'empty' ? Object.keys(erased.columns) : [];
    const digested = erased.by === 'digest' ? [erased.column] : [];
    const kept = ['empty', 'digest', 'keep'].includes(erased.by) ? namesIn(table.personal) : [];
    expect({ name, left: kept.filter((column) => ![...emptied, ...digested].includes(column)) }).toEqual({
      name,
      left: [],
    });
  });
});
