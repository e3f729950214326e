import { joined, raw, type Sql, sql } from '../sql.js';

/** The form in which a value is compared (domain/records/field-types/text-keys.ts). */
export type ValueKey = string | number;

export type ValueTest =
  | { among: readonly ValueKey[] }
  | { isEmpty: boolean }
  | { from?: ValueKey; after?: ValueKey; to?: ValueKey; before?: ValueKey };

/** Tests that must all be passed by the same value of a field. */
export interface ValuesCriterion {
  kind: 'values';
  field: string;
  by: 'text' | 'number';
  /** Whether several values of one record may pass. */
  isMany: boolean;
  tests: ValueTest[];
}

export type RecordCriterion =
  | ValuesCriterion
  | { kind: 'all' }
  | { kind: 'member'; memberId: number }
  | { kind: 'externalId'; externalId: string }
  | { kind: 'times'; column: 'createdAt' | 'updatedAt'; from?: Date | undefined; before?: Date | undefined }
  /** The member's own records except hidden ones, and those that are shared with everyone. */
  /** Own ones only of before a time, if there is one. */
  | { kind: 'visibleTo'; memberId: number; before?: Date | null };

export interface RecordScope {
  dataTypeId: number;
  /** Whether retired: one of the two, or both. */
  states: readonly boolean[];
}

export const recordTables = {
  records: { name: raw('data_records'), id: raw('t.id'), states: ['not t.is_retired', 't.is_retired'] },
  values: { name: raw('data_record_values'), id: raw('t.record_id'), states: ['not t.retired', 't.retired'] },
};
export type RecordTable = (typeof recordTables)[keyof typeof recordTables];

/** SQL for the rows `t` of the type that are retired or not: the first columns of each index of the table. */
export function rowsOf(table: RecordTable, dataTypeId: number, retired: boolean): Sql {
  return sql`${table.name} t where t.data_type_id = ${dataTypeId} and ${raw(table.states[Number(retired)] ?? '')}`;
}

/**
 * SQL for the ids of the records that pass, some several times where `mayRepeat`. Where many may pass, the order of
 * their index is requested: otherwise the planner would scan an index that is unrelated.
 */
export function sourceOf({ dataTypeId, states }: RecordScope, criterion: RecordCriterion): Sql {
  const table = tableOf(criterion);
  const order = orderOfIndex(criterion);
  const parts = states.flatMap((retired) =>
    alternativesOf(criterion).map(
      (condition) => sql`(select ${table.id} as record_id from ${rowsOf(table, dataTypeId, retired)}
        and ${condition}${order})`,
    ),
  );
  return joined(parts, ' union all ');
}

/** SQL for whether `found.record_id` passes. The `limit` keeps PostgreSQL from a join, which might read too much. */
export function probeOf(criterion: RecordCriterion): Sql {
  const { name, id } = tableOf(criterion);
  const passes = joined(alternativesOf(criterion), ' or ');
  return sql`(select true from ${name} t where ${id} = found.record_id and (${passes}) limit 1)`;
}

/** Lower for a criterion that probably selects fewer records, as far as is known without counting. */
export function rank(criterion: RecordCriterion): number {
  if (criterion.kind === 'externalId') return 0;
  if (criterion.kind === 'times') return 3;
  const isRange = criterion.kind === 'values' && criterion.tests.every((test) => !('among' in test));
  return isRange ? 2 : 1;
}

/** Whether `sourceOf` may return a record more than once. */
export function mayRepeat(criterion: RecordCriterion): boolean {
  return criterion.kind === 'values' && criterion.isMany;
}

export function valuePasses({ field, by, tests }: Omit<ValuesCriterion, 'kind'>): Sql {
  return joined([sql`t.field = ${field}`, ...tests.map((test) => testOf(by, test))], ' and ');
}

function tableOf({ kind }: RecordCriterion): RecordTable {
  return kind === 'values' ? recordTables.values : recordTables.records;
}

function orderOfIndex(criterion: RecordCriterion): Sql {
  if (criterion.kind === 'values') return raw(' order by t.text_value, t.number_value, t.record_id');
  if (criterion.kind === 'all') return raw(' order by t.id');
  if (criterion.kind !== 'times') return raw('');
  return raw(criterion.column === 'createdAt' ? ' order by t.created_at' : ' order by t.updated_at');
}

/** Conditions each of which has an index of its own. At most one of them holds for a record. */
function alternativesOf(criterion: RecordCriterion): Sql[] {
  switch (criterion.kind) {
    case 'all':
      return [raw('true')];
    case 'values':
      return [valuePasses(criterion)];
    case 'member':
      return [sql`t.member_id = ${criterion.memberId}`];
    case 'externalId':
      return [sql`t.external_id = ${criterion.externalId}`];
    case 'times':
      return [timesPass(criterion)];
    case 'visibleTo':
      return [
        criterion.before == null
          ? sql`t.member_id = ${criterion.memberId} and t.access_mode not in (2, 3)`
          : sql`t.member_id = ${criterion.memberId} and t.access_mode not in (2, 3) and t.updated_at < ${criterion.before}`,
        raw('t.access_mode = 3'),
      ];
  }
}

export function timesPass({ column, from, before }: Extract<RecordCriterion, { kind: 'times' }>): Sql {
  const time = raw(column === 'createdAt' ? 't.created_at' : 't.updated_at');
  const bounds = [raw('true')];
  if (from !== undefined) bounds.push(sql`${time} >= ${from}`);
  if (before !== undefined) bounds.push(sql`${time} < ${before}`);
  return joined(bounds, ' and ');
}

/** A text is in one column, a number in the other, which comes after it in the index. */
function testOf(by: 'text' | 'number', test: ValueTest): Sql {
  if ('isEmpty' in test && test.isEmpty) return raw('t.text_value is null and t.number_value is null');
  const column = raw(by === 'text' ? 't.text_value' : 't.text_value is null and t.number_value');
  if ('isEmpty' in test) return sql`${column} is not null`;
  const type = raw(by === 'text' ? '::text' : '::float8');
  if ('among' in test) {
    const { among } = test;
    return among.length === 1 ? sql`${column} = ${among[0]}${type}` : sql`${column} = any(${among}${type}[])`;
  }
  const comparisons = { '>=': test.from, '>': test.after, '<=': test.to, '<': test.before };
  const bounds = Object.entries(comparisons).filter(([, bound]) => bound !== undefined);
  return joined(
    bounds.map(([operator, bound]) => sql`${column} ${raw(operator)} ${bound}${type}`),
    ' and ',
  );
}
