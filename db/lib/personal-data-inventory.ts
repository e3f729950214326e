import type { Holds } from './table.js';

/**
 * What the tables of an area hold of a person, and what becomes of it, which export and erasure carry out: declared
 * beside the area (`db/<area>/personal-data-inventory.ts`). What a column holds is said in the model of its table.
 * `test/db/person-data/catalogue.test.ts` compares the declarations with the catalogue of PostgreSQL.
 *
 * SQL may use `t` (the table), `:member` and `:workspace` (ids), and `:account`: the id of the member's account if it
 * is used in no other workspace, else null.
 */
export interface PersonalDataInventory {
  /** In the order in which they are erased. */
  aboutMembers: readonly PersonTable[];
  /** Hold nothing about a member. */
  others: readonly StoredTable[];
}

/** A model, or a table that has none. */
export interface StoredTable {
  tableName: string;
  /** What the columns hold, by name. */
  holds: Readonly<Record<string, Holds | undefined>>;
}

export interface PersonTable {
  model: StoredTable;
  /** The condition for rows about the member. */
  about: string;
  exported: Exported | { not: string };
  erased: Erased;
  /** The condition is looked up in all rows, some at a time by the bytes of a column, because no index leads to them. */
  walked?: { bytesOf: string };
}

export interface Exported {
  /** The name of the file in the archive. */
  file: string;
  /** The condition for rows that are left, if others are only yet to be removed. */
  only?: string;
  /** Further values, by name: SQL expressions. */
  also?: Readonly<Record<string, string>>;
  /** What stands for the value of a column: SQL expressions by column. */
  columns?: Readonly<Record<string, string>>;
  /** Members do not see these rows: an archive leaves them out that is requested without `person_data:export`. */
  internal?: true;
  /** The condition for rows that members do not see. */
  hidden?: string;
  /** Columns that members do not see. */
  hiddenColumns?: string;
  /** Columns that no archive has, beside secrets. */
  leftOut?: string;
}

export type Erased =
  | { by: 'delete' }
  /** Deleted with rows of another table, by a foreign key. */
  | { by: 'cascade'; from: StoredTable }
  /**
   * The row stays without what is personal: null, or the SQL expression of `columns`, which may also name other columns.
   * `kept` says what it still tells.
   */
  | { by: 'empty'; columns?: Readonly<Record<string, string>>; kept?: string }
  /** A digest replaces the value: it can be compared with a given value, and not read. */
  | { by: 'digest'; column: string /** The other column of the unique key. */; beside: string; kept: string }
  /** Done in the transaction that the erasure begins in. */
  | { by: 'begin'; what: string }
  /** Stays as it is. */
  | { by: 'keep'; kept: string };

/** The chats that are about a member: not its direct chats with other people. */
export const ownChats =
  'select id from chats where member_id = :member and (dm_key is null or created_by_member_id = member_id)';

/** Received mails in which the member speaks, or that are about one of its chats. Anybody can write its address into a mail. */
export const ownMails = `(chat_id in (${ownChats}) or from_address = (select email from members where id = :member))`;

/** The name of a table, with its schema. */
export function nameOf({ tableName }: StoredTable): string {
  return tableName.includes('.') ? tableName : `public.${tableName}`;
}

/** What no export contains. */
const secrets: readonly (Holds | undefined)[] = ['encrypted', 'digest', 'token'];

/** The columns of a table that hold no secrets. */
export function openColumns({ holds }: StoredTable): string[] {
  return Object.keys(holds).filter((name) => !secrets.includes(holds[name]));
}

export function personalColumns({ holds }: StoredTable): string[] {
  return Object.keys(holds).filter((name) => holds[name] === 'personal');
}

/** The names in a list of columns. */
export function namesIn(list: string | undefined): string[] {
  return list === undefined || list === '' ? [] : list.split(' ');
}

export interface Person {
  workspaceId: number;
  memberId: number;
  /** Null if the member has no account, or one that is used in other workspaces. */
  accountId: number | null;
}

/** Puts the ids of a person into the SQL of a declaration. @returns the text with `?`, and its bindings */
export function boundTo(person: Person, text: string): { text: string; bindings: unknown[] } {
  const bindings: unknown[] = [];
  const bound = text.replace(/(?<!:):(member|workspace|account)\b/g, (_, name: string) => {
    bindings.push(
      { member: person.memberId, workspace: person.workspaceId, account: person.accountId }[name],
    );
    return '?::bigint';
  });
  return { text: bound, bindings };
}
