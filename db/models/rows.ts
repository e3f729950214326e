import type { Knex } from 'knex';
import type { Tx } from '../database.js';
import type { RowOf, TenantModel } from './tenant-model.js';

/** A model's class. */
interface Table<M extends TenantModel> {
  new (): M;
  tableName: string;
  jsonAttributes?: string[];
}

/** An expression in the place of a value. */
type Raw = Knex.Raw;
type Values<M extends TenantModel> = { readonly [Field in keyof RowOf<M>]?: RowOf<M>[Field] | Raw };

/*
 * The statements that every request makes, written out: building one with Objection takes several times as long as
 * PostgreSQL takes to carry it out (docs/decisions/0035-speed.md). What is composed is composed with Objection.
 */

/** The rows that a condition selects. `condition` is all that follows `where`. */
export async function selectRows<M extends TenantModel>(
  model: Table<M>,
  tx: Tx,
  condition: string,
  bindings: readonly unknown[],
): Promise<RowOf<M>[]> {
  const { rows } = await tx.raw(`select * from ${model.tableName} where ${condition}`, bindings as never);
  return rows.map(fieldsOf);
}

/** `selectRows` for one. */
export async function selectRow<M extends TenantModel>(
  model: Table<M>,
  tx: Tx,
  condition: string,
  bindings: readonly unknown[],
): Promise<RowOf<M> | undefined> {
  return (await selectRows(model, tx, `${condition} limit 1`, bindings))[0];
}

/** Stores rows that have the same fields, in one statement; `workspaceId` is added. Returns them as stored. */
export async function insertRows<M extends TenantModel>(
  model: Table<M>,
  tx: Tx,
  rows: readonly Values<M>[],
): Promise<RowOf<M>[]> {
  const fields = fieldsIn(rows[0] ?? {});
  const columns = ['workspace_id', ...fields.map(columnOf)];
  const places = `(${columns.map(() => '?').join(', ')})`;
  const bindings = rows.flatMap((row) => [
    tx.workspaceId,
    ...fields.map((field) => bindingOf(model, field, row[field as keyof Values<M>])),
  ]);
  const inserted = await tx.raw(
    `insert into ${model.tableName} (${columns.join(', ')}) values ${rows.map(() => places).join(', ')} returning *`,
    bindings as never,
  );
  return inserted.rows.map(fieldsOf);
}

/** `insertRows` for one. */
export async function insertRow<M extends TenantModel>(
  model: Table<M>,
  tx: Tx,
  values: Values<M>,
): Promise<RowOf<M>> {
  const [row] = await insertRows(model, tx, [values]);
  if (row === undefined) throw new Error(`nothing was stored in ${model.tableName}`);
  return row;
}

/** Changes a row and returns it as it is then, in one statement. @throws when there is no such row */
export async function patchRow<M extends TenantModel>(
  model: Table<M>,
  tx: Tx,
  id: number,
  changes: Values<M>,
): Promise<RowOf<M>> {
  const fields = fieldsIn(changes);
  const assignments = fields.map((field) => `${columnOf(field)} = ?`).join(', ');
  const bindings = fields.map((field) => bindingOf(model, field, changes[field as keyof Values<M>]));
  const { rows } = await tx.raw(`update ${model.tableName} set ${assignments} where id = ? returning *`, [
    ...bindings,
    id,
  ] as never);
  if (rows.length === 0) throw new Error(`there is no row ${id} in ${model.tableName}`);
  return fieldsOf(rows[0]);
}

function fieldsIn(values: object): string[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field);
}

/** The driver would send an array as one of PostgreSQL's, where the column is JSON. */
function bindingOf(model: Table<TenantModel>, field: string, value: unknown): unknown {
  const isJson = model.jsonAttributes?.includes(field) ?? false;
  return isJson && value !== null && value !== undefined ? JSON.stringify(value) : (value ?? null);
}

const columnNames = new Map<string, string>();
const fieldNames = new Map<string, string>();

function columnOf(field: string): string {
  let column = columnNames.get(field);
  if (column === undefined) {
    column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    columnNames.set(field, column);
  }
  return column;
}

function fieldsOf<Row>(columns: Record<string, unknown>): Row {
  const row: Record<string, unknown> = {};
  for (const column in columns) {
    let field = fieldNames.get(column);
    if (field === undefined) {
      field = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
      fieldNames.set(column, field);
    }
    row[field] = columns[column];
  }
  return row as Row;
}
