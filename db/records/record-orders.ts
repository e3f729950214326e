import { joined, raw, type Sql, sql } from '../sql.js';
import {
  type RecordCriterion,
  type RecordScope,
  type RecordTable,
  recordTables,
  rowsOf,
  timesPass,
  type ValuesCriterion,
  valuePasses,
} from './record-criteria.js';

/** What a list of records is sorted by. Records without a value of the field come last. */
export type RecordSort = 'id' | 'createdAt' | 'updatedAt' | { field: string; by: 'text' | 'number' };

/** An index that contains the records in the requested order. */
export interface RecordOrder {
  direction: Sql;
  table: RecordTable;
  /** Columns before the id. */
  columns: Sql[];
  /** Conditions on the rows; the rows of each condition follow those of the one before. */
  parts: Sql[];
  /** The criteria that the conditions already include. */
  covered: readonly RecordCriterion[];
  /** The condition that finds the row of one record. */
  row: Sql;
}

const valueColumns = [raw('t.text_value'), raw('t.number_value')];

export function orderOf(
  sort: RecordSort,
  direction: 'asc' | 'desc',
  criteria: readonly RecordCriterion[],
): RecordOrder {
  const order = typeof sort === 'object' ? fieldOrder(sort, criteria) : recordOrder(sort, criteria);
  return { ...order, direction: raw(direction) };
}

function recordOrder(
  sort: 'id' | 'createdAt' | 'updatedAt',
  criteria: readonly RecordCriterion[],
): Omit<RecordOrder, 'direction'> {
  const table = recordTables.records;
  const row = raw('true');
  if (sort === 'id') {
    const equal = criteria.find(isOneValue);
    if (equal === undefined) return { table, columns: [], parts: [row], covered: [], row };
    // All rows have the same value, so they are in order of id.
    const same = valuePasses(equal);
    return { table: recordTables.values, columns: valueColumns, parts: [same], covered: [equal], row: same };
  }
  const covered = criteria.filter((one) => one.kind === 'times' && one.column === sort);
  const passes = covered.map((one) => (one.kind === 'times' ? timesPass(one) : raw('true')));
  const columns = [raw(sort === 'createdAt' ? 't.created_at' : 't.updated_at')];
  return { table, columns, parts: [joined([raw('true'), ...passes], ' and ')], covered, row };
}

function fieldOrder(
  { field, by }: { field: string; by: 'text' | 'number' },
  criteria: readonly RecordCriterion[],
): Omit<RecordOrder, 'direction'> {
  const covered = criteria.filter(
    (one): one is ValuesCriterion => one.kind === 'values' && one.field === field,
  );
  const part = (isEmpty: boolean) => valuePasses({ field, by, isMany: false, tests: [{ isEmpty }] });
  const parts = covered.length > 0 ? [joined(covered.map(valuePasses), ' and ')] : [part(false), part(true)];
  return { table: recordTables.values, columns: valueColumns, parts, covered, row: sql`t.field = ${field}` };
}

function isOneValue(criterion: RecordCriterion): criterion is ValuesCriterion {
  if (criterion.kind !== 'values') return false;
  const [test, ...others] = criterion.tests;
  return others.length === 0 && test !== undefined && 'among' in test && test.among.length === 1;
}

/** SQL for the first `limit` records in the order, read from its index. */
export function walk(order: RecordOrder, { dataTypeId, states }: RecordScope, limit: number): Sql {
  const { table, parts } = order;
  const places = order.columns.map((_, index) => raw(`place_${index}`));
  const selected = order.columns.map((column, index) => sql`, ${column} as ${places[index]}`);
  const walked = parts.map((part) => {
    const ofStates = states.map(
      (retired) =>
        sql`(select ${table.id} as record_id${joined(selected, '')} from ${rowsOf(table, dataTypeId, retired)}
          and ${part} order by ${sorting(order, order.columns, table.id)} limit ${limit})`,
    );
    const [only] = ofStates;
    if (ofStates.length === 1 && only !== undefined) return only;
    return sql`(select * from (${joined(ofStates, ' union all ')}) states
      order by ${sorting(order, places, raw('record_id'))} limit ${limit})`;
  });
  // The limit drops the rows after a part that was cut short, because they are out of order.
  return sql`select * from (${joined(walked, ' union all ')}) parts limit ${limit}`;
}

/** SQL that joins `found.record_id` with its row `t` in the order, if that has columns besides the id. */
export function rowInOrder({ table, row, columns }: RecordOrder): Sql {
  if (columns.length === 0) return raw('');
  return sql`cross join lateral (select * from ${table.name} t where ${table.id} = found.record_id and ${row} limit 1) t`;
}

/** The list of `order by`, for rows `t`. Only a field's value may be missing: then both columns are null. */
export function sortedBy(order: RecordOrder): Sql {
  const hasValues = order.table === recordTables.values;
  const missing = raw(hasValues ? '(t.text_value is null and t.number_value is null), ' : '');
  return sql`${missing}${sorting(order, order.columns, raw('found.record_id'))}`;
}

function sorting({ direction }: RecordOrder, columns: readonly Sql[], id: Sql): Sql {
  return joined(
    [...columns, id].map((column) => sql`${column} ${direction}`),
    ', ',
  );
}
