import { nameOf, type StoredTable } from '../../../db/lib/personal-data-inventory.js';
import type { Holds } from '../../../db/lib/table.js';
import { tablesByArea } from '../../../db/person-data/catalogue.js';

/** All declared tables, with their schemas. */
export const declaredTables: readonly (StoredTable & { name: string })[] = Object.values(
  tablesByArea,
).flatMap(({ aboutMembers, others }) =>
  [...aboutMembers.map(({ model }) => model), ...others].map((table) => ({
    name: nameOf(table),
    tableName: table.tableName,
    holds: table.holds,
  })),
);

/** What columns hold, by `schema.table.column`. */
export const heldByColumn: ReadonlyMap<string, Holds | undefined> = new Map(
  declaredTables.flatMap(({ name, holds }) =>
    Object.entries(holds).map(([column, held]) => [`${name}.${column}`, held]),
  ),
);

/** Types of columns that cannot hold a text. */
export const textlessTypes: readonly string[] = [
  'bigint',
  'integer',
  'smallint',
  'boolean',
  'uuid',
  'timestamp with time zone',
];
