import { prepared, statement } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import type { RowOf, TenantModel } from './tenant-model.js';

/** A model's class. */
interface Table<M extends TenantModel> {
  new (): M;
  tableName: string;
  jsonAttributes?: string[];
  /** All columns by name: statements are prepared, and a migration would change the meaning of `*`. */
  fields: readonly string[];
}

type Values<M extends TenantModel> = { readonly [Field in keyof RowOf<M>]?: RowOf<M>[Field] | undefined };

/*
 * The statements of every request, written out: composing one with Objection takes several times as long as PostgreSQL
 * takes to execute it (docs/decisions/0035-speed.md). Queries of variable form are composed with Objection.
 */

/** `condition` is everything after `where`. */
export async function selectRows<M extends TenantModel>(
  model: Table<M>,
  tx: EnteredTx,
  condition: string,
  bindings: readonly unknown[],
): Promise<RowOf<M>[]> {
  return prepared(tx, selection(model, condition, ''), bindings);
}

/** The texts of `selection`, by table and condition. */
const selections = {
  '': new Map<string, Map<string, string>>(),
  ' limit 1': new Map<string, Map<string, string>>(),
};

/** Returns a cached text, because a newly concatenated string is hashed again with each look-up. */
function selection(
  model: Pick<Table<TenantModel>, 'tableName' | 'fields'>,
  condition: string,
  limit: '' | ' limit 1',
): string {
  const ofTables = selections[limit];
  const known = ofTables.get(model.tableName) ?? new Map<string, string>();
  ofTables.set(model.tableName, known);
  let text = known.get(condition);
  if (text === undefined) {
    text = `select ${columnsOf(model)} from ${model.tableName} where ${condition}${limit}`;
    known.set(condition, text);
  }
  return text;
}

/** `selectRows` for the first row. */
export async function selectRow<M extends TenantModel>(
  model: Table<M>,
  tx: EnteredTx,
  condition: string,
  bindings: readonly unknown[],
): Promise<RowOf<M> | undefined> {
  return (await prepared<RowOf<M>>(tx, selection(model, condition, ' limit 1'), bindings))[0];
}

const fewRows = 4;

/** Inserts rows with the same fields, and returns them as stored. Adds `workspaceId`; uses ids where they are given. */
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
  const ids = fields.includes('id') ? ' overriding system value' : '';
  const insert = `insert into ${model.tableName} (${columns.join(', ')})${ids}`;
  const text = `${insert} values ${rows.map(() => places).join(', ')} returning ${columnsOf(model)}`;
  // A text for each number of rows would be too many prepared statements.
  return rows.length <= fewRows ? prepared(tx, text, bindings) : statement(tx, text, bindings);
}

export async function insertRow<M extends TenantModel>(
  model: Table<M>,
  tx: Tx,
  values: Values<M>,
): Promise<RowOf<M>> {
  const [row] = await insertRows(model, tx, [values]);
  if (row === undefined) throw new Error(`nothing was stored in ${model.tableName}`);
  return row;
}

/**
 * Updates a row and returns it as stored. `expression` is a further assignment, inserted into the SQL as it is.
 * @throws when there is no such row
 */
export async function patchRow<M extends TenantModel>(
  model: Table<M>,
  tx: Tx,
  id: number,
  changes: Values<M>,
  expression?: string,
): Promise<RowOf<M>> {
  const fields = fieldsIn(changes);
  const assignments = fields.map((field) => `${columnOf(field)} = ?`);
  if (expression !== undefined) assignments.push(expression);
  const bindings = fields.map((field) => bindingOf(model, field, changes[field as keyof Values<M>]));
  const [row] = await prepared<RowOf<M>>(
    tx,
    `update ${model.tableName} set ${assignments.join(', ')} where id = ? returning ${columnsOf(model)}`,
    [...bindings, id],
  );
  if (row === undefined) throw new Error(`there is no row ${id} in ${model.tableName}`);
  return row;
}

function fieldsIn(values: object): string[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field);
}

/** Stringifies the values of JSON columns, because the driver would send an array as a PostgreSQL array. */
function bindingOf(model: Table<TenantModel>, field: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return model.jsonAttributes?.includes(field) ? JSON.stringify(value) : value;
}

const columnNames = new Map<string, string>();

/** The name of the column that a field is stored in. */
export function columnOf(field: string): string {
  let column = columnNames.get(field);
  if (column === undefined) {
    column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    columnNames.set(field, column);
  }
  return column;
}

const columnLists = new Map<string, string>();

/** The select list of a table: its columns under the names of their fields. */
export function columnsOf({ tableName, fields }: Pick<Table<TenantModel>, 'tableName' | 'fields'>): string {
  let list = columnLists.get(tableName);
  if (list === undefined) {
    list = fields.map((field) => `${tableName}.${columnOf(field)} as "${field}"`).join(', ');
    columnLists.set(tableName, list);
  }
  return list;
}
