import { TenantModel } from './tenant-model.js';

/** A column: the type of its values, and whether it is stored as JSON. */
interface Column<Value> {
  readonly isJson: boolean;
  /** Only for the type. */
  readonly value?: Value;
}

type Columns = Record<string, Column<unknown>>;
export type ValuesOf<C extends Columns> = {
  [Name in keyof C]: C[Name] extends Column<infer Value> ? Value : never;
};

/** A column whose values the driver takes and gives as `Value`. */
export const column = <Value>(): Column<Value> => ({ isJson: false });

export const json = <Value>(): Column<Value> => ({ isJson: true });

type TableClass<C extends Columns> = Omit<typeof TenantModel, 'prototype' | 'tableName'> & {
  new (): TenantModel & ValuesOf<C>;
  tableName: string;
  /** All columns by name: statements are prepared, and a migration would change the meaning of `*`. */
  fields: readonly string[];
};

/** The base class of a table's model. It defines no instance fields: they would shadow what Objection sets. */
export function tenantTable<C extends Columns>(tableName: string, columns: C): TableClass<C> {
  const names = Object.keys(columns);
  class Table extends TenantModel {
    static override tableName = tableName;
    static override jsonAttributes = names.filter((name) => columns[name]?.isJson);
    static fields = ['id', 'workspaceId', ...names];
  }
  return Table as TableClass<C>;
}
