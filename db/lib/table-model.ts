import type { Knex } from 'knex';
import { Model, type Pojo, snakeCaseMappers } from 'objection';
import { changedBy, prepared, statement } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';

/**
 * A row of a table. Not bound to a knex (`Model.knex`), so that a query without a transaction throws instead of
 * silently reading on a connection without a workspace. Columns are `declare`d, so that no class field shadows them.
 *
 * The static methods write their statements out: composing one with Objection takes several times as long as PostgreSQL
 * takes to execute it (docs/decisions/0035-speed.md). Queries of variable form are composed by `.query(tx)`. A condition
 * is everything after `where`; the values of its placeholders (`?`) follow it.
 */
export abstract class TableModel extends Model {
  /** Only for the types: the columns that rows are read without. */
  declare unread: () => object;

  static override columnNameMappers = snakeCaseMappers();

  /** All columns by name: statements are prepared, and a migration would change the meaning of `*`. */
  static fields: readonly string[];

  /**
   * The driver has already parsed jsonb. Objection would parse values that are text once more: it would read the
   * message "4" as a number, and "null" as null.
   */
  override $parseDatabaseJson(json: Pojo): Pojo {
    return TableModel.columnNameMappers.parse(json);
  }

  /** The select list of the table: its columns under the names of their fields. */
  static get columns(): string {
    return columnsOf(this);
  }

  /** The row with an id. */
  static async find<M extends TableModel>(
    this: Table<M>,
    tx: ReadTx<M>,
    id: number,
  ): Promise<RowOf<M> | undefined> {
    return first(this, tx, 'id = ?', [id]);
  }

  /** The first row that a condition is true for. */
  static async first<M extends TableModel>(
    this: Table<M>,
    tx: ReadTx<M>,
    condition: string,
    bindings: readonly unknown[] = [],
  ): Promise<RowOf<M> | undefined> {
    return first(this, tx, condition, bindings);
  }

  /** The rows that a condition is true for. */
  static async where<M extends TableModel>(
    this: Table<M>,
    tx: ReadTx<M>,
    condition: string,
    bindings: readonly unknown[] = [],
  ): Promise<RowOf<M>[]> {
    return prepared(tx, selection(this, condition, ''), bindings);
  }

  /** Some fields of the rows that a condition is true for, where others are large or nobody needs them. */
  static async pick<M extends TableModel, F extends Field<M>>(
    this: Table<M>,
    tx: ReadTx<M>,
    fields: readonly F[],
    condition: string,
    bindings: readonly unknown[] = [],
  ): Promise<Pick<Stored<M>, F>[]> {
    const list = selectList(this.tableName, fields);
    return prepared(tx, `select ${list} from ${this.tableName} where ${condition}`, bindings);
  }

  /** Whether a condition is true for a row. */
  static async exists<M extends TableModel>(
    this: Table<M>,
    tx: ReadTx<M>,
    condition: string,
    bindings: readonly unknown[] = [],
  ): Promise<boolean> {
    const found = await prepared(tx, `select 1 from ${this.tableName} where ${condition} limit 1`, bindings);
    return found.length > 0;
  }

  /** The number of rows that a condition is true for. */
  static async count<M extends TableModel>(
    this: Table<M>,
    tx: ReadTx<M>,
    condition: string,
    bindings: readonly unknown[] = [],
  ): Promise<number> {
    const text = `select count(*)::integer as count from ${this.tableName} where ${condition}`;
    return (await prepared<{ count: number }>(tx, text, bindings))[0]?.count ?? 0;
  }

  /** `count` that ends at a number: what is beyond it is not looked at. */
  static async countUpTo<M extends TableModel>(
    this: Table<M>,
    tx: ReadTx<M>,
    max: number,
    condition: string,
    bindings: readonly unknown[] = [],
  ): Promise<number> {
    const counted = `select from ${this.tableName} where ${condition} limit ?`;
    const text = `select count(*)::integer as count from (${counted}) as counted`;
    return (await prepared<{ count: number }>(tx, text, [...bindings, max]))[0]?.count ?? 0;
  }

  /** Inserts a row and returns it as stored, with its workspace where the table has one. Uses an id where one is given. */
  static async insert<M extends TableModel>(
    this: Table<M>,
    tx: WriteTx<M>,
    values: Values<M>,
  ): Promise<RowOf<M>> {
    const [row] = await inserted(this, tx, [values], '');
    if (row === undefined) throw new Error(`nothing was stored in ${this.tableName}`);
    return row;
  }

  /** `insert` for rows with the same fields. */
  static async insertAll<M extends TableModel>(
    this: Table<M>,
    tx: WriteTx<M>,
    rows: readonly Values<M>[],
  ): Promise<RowOf<M>[]> {
    return inserted(this, tx, rows, '');
  }

  /** `insert`, unless there is a row with the same values of a unique key. @returns the inserted row */
  static async insertOnce<M extends TableModel>(
    this: Table<M>,
    tx: WriteTx<M>,
    values: Values<M>,
    key: readonly Field<M>[],
  ): Promise<RowOf<M> | undefined> {
    const [row] = await inserted(this, tx, [values], `on conflict (${keyOf(this, key)}) do nothing`);
    return row;
  }

  /** `insert`, or replaces the values of the row that has the same values of a unique key. */
  static async upsert<M extends TableModel>(
    this: Table<M>,
    tx: WriteTx<M>,
    values: Values<M>,
    key: readonly Field<M>[],
  ): Promise<RowOf<M>> {
    const replaced = fieldsIn(values).filter((field) => !key.includes(field as Field<M>));
    const assignments = replaced.map((field) => `${columnOf(field)} = excluded.${columnOf(field)}`);
    const conflict = `on conflict (${keyOf(this, key)}) do update set ${assignments.join(', ')}`;
    const [row] = await inserted(this, tx, [values], conflict);
    if (row === undefined) throw new Error(`nothing was stored in ${this.tableName}`);
    return row;
  }

  /**
   * Updates the row with an id and returns it as stored. `expression` is a further assignment, inserted into the SQL as
   * it is.
   * @throws when there is no such row
   */
  static async patch<M extends TableModel>(
    this: Table<M>,
    tx: WriteTx<M>,
    id: number,
    changes: Values<M>,
    expression?: string,
  ): Promise<RowOf<M>> {
    const { assignments, bindings } = assigned(this, changes);
    if (expression !== undefined) assignments.push(expression);
    const text = `update ${this.tableName} set ${assignments.join(', ')} where id = ? returning ${columnsOf(this)}`;
    const [row] = await prepared<RowOf<M>>(tx, text, [...bindings, id]);
    if (row === undefined) throw new Error(`there is no row ${id} in ${this.tableName}`);
    return row;
  }

  /** Updates the rows that a condition is true for. @returns their number */
  static async updateWhere<M extends TableModel>(
    this: Table<M>,
    tx: WriteTx<M>,
    changes: Values<M>,
    condition: string,
    bindings: readonly unknown[] = [],
  ): Promise<number> {
    const values = assigned(this, changes);
    const text = `update ${this.tableName} set ${values.assignments.join(', ')} where ${condition}`;
    return changedBy(tx, text, [...values.bindings, ...bindings]);
  }

  /** `updateWhere` that returns the rows as stored. */
  static async updateReturning<M extends TableModel>(
    this: Table<M>,
    tx: WriteTx<M>,
    changes: Values<M>,
    condition: string,
    bindings: readonly unknown[] = [],
  ): Promise<RowOf<M>[]> {
    const values = assigned(this, changes);
    const text = `update ${this.tableName} set ${values.assignments.join(', ')} where ${condition} returning ${columnsOf(this)}`;
    return prepared(tx, text, [...values.bindings, ...bindings]);
  }

  /** Deletes the rows that a condition is true for. @returns their number */
  static async deleteWhere<M extends TableModel>(
    this: Table<M>,
    tx: WriteTx<M>,
    condition: string,
    bindings: readonly unknown[] = [],
  ): Promise<number> {
    return changedBy(tx, `delete from ${this.tableName} where ${condition}`, bindings);
  }

  /** `deleteWhere` that returns the deleted rows. */
  static async deleteReturning<M extends TableModel>(
    this: Table<M>,
    tx: WriteTx<M>,
    condition: string,
    bindings: readonly unknown[] = [],
  ): Promise<RowOf<M>[]> {
    return prepared(
      tx,
      `delete from ${this.tableName} where ${condition} returning ${columnsOf(this)}`,
      bindings,
    );
  }
}

/** A row of a workspace, which row-level security hides from transactions of others. */
export abstract class TenantModel extends TableModel {
  declare id: number;
  declare workspaceId: number;
}

/** A row of schema `identity`, which is read before a workspace is known. */
export abstract class IdentityModel extends TableModel {
  /** Tells the two kinds of models apart: their types alone could be the same. */
  declare outsideWorkspaces: () => true;
}

/** A model's class. */
interface Table<M extends TableModel> {
  new (): M;
  tableName: string;
  jsonAttributes?: string[];
  fields: readonly string[];
  prototype: TableModel;
}

/** The plain row of a model, in which form rows leave `db/`. */
export type RowOf<M extends TableModel> = Omit<M, keyof IdentityModel>;

/** All columns of a model. */
type Stored<M extends TableModel> = RowOf<M> & ReturnType<M['unread']>;
type Field<M extends TableModel> = keyof Stored<M> & string;
/** What is written of a row. */
export type Values<M extends TableModel> = {
  readonly [F in keyof Stored<M>]?: Written<Stored<M>[F]> | undefined;
};
type Written<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
/** Rows of workspaces are read where a workspace was entered, and written where this process knows it. */
type ReadTx<M extends TableModel> = M extends IdentityModel ? Knex : EnteredTx;
type WriteTx<M extends TableModel> = M extends IdentityModel ? Knex : Tx;

/** Strips Objection from a row. */
export function toRow<M extends TableModel>(model: M): RowOf<M> {
  return { ...model };
}

/** `toRow` for a query that may find nothing. */
export function toRowOrUndefined<M extends TableModel>(model: M | undefined): RowOf<M> | undefined {
  return model === undefined ? undefined : toRow(model);
}

async function first<M extends TableModel>(
  model: Table<M>,
  tx: Knex,
  condition: string,
  bindings: readonly unknown[],
): Promise<RowOf<M> | undefined> {
  return (await prepared<RowOf<M>>(tx, selection(model, condition, ' limit 1'), bindings))[0];
}

/** The texts of `selection`, by table and condition. */
const selections = {
  '': new Map<string, Map<string, string>>(),
  ' limit 1': new Map<string, Map<string, string>>(),
};

/** Returns a cached text, because a newly concatenated string is hashed again with each look-up. */
function selection<M extends TableModel>(model: Table<M>, condition: string, limit: '' | ' limit 1'): string {
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

const fewRows = 4;

async function inserted<M extends TableModel>(
  model: Table<M>,
  tx: WriteTx<M>,
  rows: readonly Values<M>[],
  conflict: string,
): Promise<RowOf<M>[]> {
  const fields = fieldsIn(rows[0] ?? {});
  const workspace = model.prototype instanceof TenantModel ? [(tx as Tx).workspaceId] : [];
  const columns = [...workspace.map(() => 'workspace_id'), ...fields.map(columnOf)];
  const places = `(${columns.map(() => '?').join(', ')})`;
  const bindings = rows.flatMap((row) => [
    ...workspace,
    ...fields.map((field) => bindingOf(model, field, row[field as keyof Values<M>])),
  ]);
  const ids = fields.includes('id') ? ' overriding system value' : '';
  const insert = `insert into ${model.tableName} (${columns.join(', ')})${ids}`;
  const values = rows.map(() => places).join(', ');
  const text = `${insert} values ${values} ${conflict} returning ${columnsOf(model)}`;
  // A text for each number of rows would be too many prepared statements.
  return rows.length <= fewRows ? prepared(tx, text, bindings) : statement(tx, text, bindings);
}

/** The columns of a unique key, which starts with the workspace where the table has one. */
function keyOf(model: { prototype: TableModel }, key: readonly string[]): string {
  const columns = key.map(columnOf);
  return (model.prototype instanceof TenantModel ? ['workspace_id', ...columns] : columns).join(', ');
}

function assigned<M extends TableModel>(
  model: Table<M>,
  changes: Values<M>,
): { assignments: string[]; bindings: unknown[] } {
  const fields = fieldsIn(changes);
  return {
    assignments: fields.map((field) => `${columnOf(field)} = ?`),
    bindings: fields.map((field) => bindingOf(model, field, changes[field as keyof Values<M>])),
  };
}

function fieldsIn(values: object): string[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field);
}

/** Stringifies the values of JSON columns, because the driver would send an array as a PostgreSQL array. */
function bindingOf(
  { jsonAttributes }: { jsonAttributes?: string[] },
  field: string,
  value: unknown,
): unknown {
  if (value === null || value === undefined) return null;
  return jsonAttributes?.includes(field) ? JSON.stringify(value) : value;
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

/** The select list of a table, or of a query with some of its columns. */
export function columnsOf({ tableName, fields }: { tableName: string; fields: readonly string[] }): string {
  let list = columnLists.get(tableName);
  if (list === undefined) {
    list = selectList(tableName, fields);
    columnLists.set(tableName, list);
  }
  return list;
}

/** The select list of some fields of a table. */
export function selectList(tableName: string, fields: readonly string[]): string {
  return fields.map((field) => `${tableName}.${columnOf(field)} as "${field}"`).join(', ');
}
