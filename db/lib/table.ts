import { columnOf, IdentityModel, TenantModel } from './table-model.js';

/**
 * What a column holds. What is exported and erased follows from it (`db/person-data`), and the privacy test compares what
 * is stored with it. Columns of integers, flags, times and UUIDs hold nothing of this list.
 */
export type Holds =
  /** What people wrote, or who they are. */
  | 'personal'
  /** What the team wrote: names, instructions, addresses of receivers. */
  | 'configuration'
  /** Cannot be read without a key. Not exported, like the two that follow. */
  | 'encrypted'
  /** A hash, of which nothing can be read back. */
  | 'digest'
  /** A random value that opens something, or a part of one. */
  | 'token'
  /** Of a list of the service's or a provider's, or of a standard: a state, a locale, a color, a host; or several. */
  | 'code'
  | 'codes'
  /** Made by the service or a provider; or several. */
  | 'id'
  | 'ids'
  /** Numbers, codes and times by name. */
  | 'counts'
  /** A number, a day or a month. */
  | 'number';

/** A column: the type of its values, whether it is stored as JSON, whether rows have it, and what it holds. */
interface Column<Value> {
  readonly isJson: boolean;
  readonly isRead: boolean;
  readonly holds: Holds | undefined;
  /** Only for the type. */
  readonly value?: Value;
}

interface UnreadColumn<Value> extends Column<Value> {
  readonly isRead: false;
}

type Columns = Record<string, Column<unknown>>;
type ValuesOf<C extends Columns> = {
  [Name in keyof C as C[Name] extends UnreadColumn<unknown> ? never : Name]: ValueOf<C[Name]>;
};
type UnreadOf<C extends Columns> = {
  [Name in keyof C as C[Name] extends UnreadColumn<unknown> ? Name : never]: ValueOf<C[Name]>;
};
type ValueOf<C> = C extends Column<infer Value> ? Value : never;

/** A column whose values the driver takes and gives as `Value`. */
export const column = <Value>(holds?: Holds): Column<Value> => ({ isJson: false, isRead: true, holds });

export const json = <Value>(holds?: Holds): Column<Value> => ({ isJson: true, isRead: true, holds });

/** A column that rows of the model are read without. Without a type, the model does not write it either. */
export const unread = <Value = never>(holds?: Holds): UnreadColumn<Value> => ({
  isJson: false,
  isRead: false,
  holds,
});

type ModelClass<Base extends typeof TenantModel | typeof IdentityModel, C extends Columns> = Omit<
  Base,
  'prototype' | 'tableName'
> & {
  new (): InstanceType<Base> & ValuesOf<C> & { unread(): UnreadOf<C> };
  prototype: InstanceType<Base>;
  tableName: string;
  /** What the columns hold, by name. */
  holds: Readonly<Record<string, Holds | undefined>>;
};

/**
 * The base class of the model of a table that belongs to workspaces: `id` and `workspaceId` are among its columns, unless
 * its rows have no ids. It defines no instance fields: they would shadow what Objection sets.
 */
export function tenantTable<C extends Columns>(
  tableName: string,
  columns: C,
  keys: readonly ('id' | 'workspaceId')[] = ['id', 'workspaceId'],
): ModelClass<typeof TenantModel, C> {
  const all = { ...Object.fromEntries(keys.map((key) => [key, column()])), ...columns };
  class Table extends TenantModel {
    static override tableName = tableName;
    static override jsonAttributes = jsonFieldsOf(all);
    static override fields = readFieldsOf(all);
    static holds = holdsOf(all);
  }
  return Table as unknown as ModelClass<typeof TenantModel, C>;
}

/** The base class of the model of a table of schema `identity`, with all of its columns. */
export function identityTable<C extends Columns>(
  name: string,
  columns: C,
): ModelClass<typeof IdentityModel, C> {
  class Table extends IdentityModel {
    static override tableName = `identity.${name}`;
    static override jsonAttributes = jsonFieldsOf(columns);
    static override fields = readFieldsOf(columns);
    static holds = holdsOf(columns);
  }
  return Table as unknown as ModelClass<typeof IdentityModel, C>;
}

function jsonFieldsOf(columns: Columns): string[] {
  return Object.keys(columns).filter((field) => columns[field]?.isJson);
}

function readFieldsOf(columns: Columns): string[] {
  return Object.keys(columns).filter((field) => columns[field]?.isRead);
}

function holdsOf(columns: Columns): Record<string, Holds | undefined> {
  return Object.fromEntries(Object.entries(columns).map(([field, { holds }]) => [columnOf(field), holds]));
}
