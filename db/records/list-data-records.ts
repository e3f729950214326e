import type { PageOf } from '../../domain/lib/paging.js';
import type { Tx } from '../database.js';
import { queryInIndexOrder, queryInIndexOrderPrepared } from '../lib/index-order.js';
import { columnsOf } from '../lib/rows.js';
import { type Cut, cutOf, type Sized, withinBytes } from '../lib/within-bytes.js';
import { joined, raw, type Sql, sql } from '../sql.js';
import type { DataRecordDetails } from './data-records.js';
import { DataRecordModel } from './models/data-record.js';
import {
  mayRepeat,
  probeOf,
  type RecordCriterion,
  type RecordScope,
  rank,
  sourceOf,
} from './record-criteria.js';
import { orderOf, type RecordOrder, type RecordSort, rowInOrder, sortedBy, walk } from './record-orders.js';

/** Which records, all criteria together. */
export interface RecordSearch extends RecordScope {
  criteria: readonly RecordCriterion[];
}

export interface RecordPage {
  /** Rows before the page. */
  offset: number;
  pageSize: number;
  sort: RecordSort;
  direction: 'asc' | 'desc';
}

/** More are not counted. */
export const mostCounted = 10_000;

type Ask = typeof queryInIndexOrder;

/** How far a list goes. */
export interface ListLimits {
  mostCounted: number;
  /** So many matches are sorted without a second thought. */
  fewMatches: number;
}

const usualLimits: ListLimits = { mostCounted, fewMatches: 1_000 };

/**
 * A page of the records that pass all criteria. `total` is exact up to `mostCounted`, and not told beyond; the page lies
 * within as many. Whether an index is walked in the order asked for, and each of its records is probed, or the matches
 * are taken from an index and sorted, depends on how many there are: docs/decisions/0046-lists-of-records.md.
 */
export async function listDataRecords(
  tx: Tx,
  { criteria: given, ...scope }: RecordSearch,
  page: RecordPage,
  limits = usualLimits,
): Promise<PageOf<DataRecordDetails> & { totalIsExact: boolean }> {
  const criteria =
    given.length === 0 ? [everything] : [...given].sort((one, other) => rank(one) - rank(other));
  const order = orderOf(page.sort, page.direction, criteria);
  const probed = criteria.filter((one) => one !== everything && !order.covered.includes(one));
  const [only, ...more] = criteria;
  if (only !== undefined && more.length === 0 && probed.length === 0) {
    return listInOrder(tx, scope, only, order, page, limits);
  }
  const sizes = await Promise.all(
    criteria.map((one) => countMatches(tx, scope, one, [], limits.mostCounted)),
  );
  const driver = criteria[sizes.indexOf(Math.min(...sizes))] ?? everything;
  const others = criteria.filter((one) => one !== driver);
  const matches =
    others.length === 0
      ? Math.min(...sizes)
      : await countMatches(tx, scope, driver, others, limits.mostCounted);
  const counted = totalOf(matches, limits);

  const expected = Math.min(page.pageSize, counted.total - page.offset);
  if (expected <= 0) return { items: [], ...counted };
  if (probed.length === 0 || matches > limits.fewMatches) {
    // A walk that finds too few has cost no more than the sorting that follows.
    const length = probed.length === 0 ? page.offset + page.pageSize : 2 * counted.total;
    const { items, found, isCut } = await readRecords(tx, walkedMatches(order, scope, probed, length), page);
    if (probed.length === 0 || found >= expected) return { items, isCut, ...counted };
  }
  const { items, isCut } = await readRecords(tx, sortedMatches(order, scope, driver, others), page);
  return { items, isCut, ...counted };
}

const everything: RecordCriterion = { kind: 'all' };

/**
 * A page of the records that pass one criterion, where the index of the order holds it: what is read does not depend on
 * how many there are, so both are asked in one message.
 */
async function listInOrder(
  tx: Tx,
  scope: RecordScope,
  criterion: RecordCriterion,
  order: RecordOrder,
  page: RecordPage,
  limits: ListLimits,
): Promise<PageOf<DataRecordDetails> & { totalIsExact: boolean }> {
  const walked = walkedMatches(order, scope, [], page.offset + page.pageSize);
  const [matches, { items, isCut }] = await Promise.all([
    countMatches(tx, scope, criterion, [], limits.mostCounted, queryInIndexOrderPrepared),
    readRecords(tx, walked, page, queryInIndexOrderPrepared),
  ]);
  return { items, isCut, ...totalOf(matches, limits) };
}

function totalOf(matches: number, { mostCounted }: ListLimits): { total: number; totalIsExact: boolean } {
  return { total: Math.min(matches, mostCounted), totalIsExact: matches <= mostCounted };
}

/** How many records pass, if not more than `most`; else some number that is greater. */
async function countMatches(
  tx: Tx,
  scope: RecordScope,
  driver: RecordCriterion,
  others: readonly RecordCriterion[],
  most: number,
  ask: Ask = queryInIndexOrder,
): Promise<number> {
  const found = sql`select found.record_id from (${sourceOf(scope, driver)}) found where ${all(others)}`;
  const records = raw(mayRepeat(driver) ? 'count(distinct record_id)' : 'count(*)');
  for (let limit = most + 1; ; limit *= 4) {
    const [counted] = await ask<{ entries: number; records: number }>(
      tx,
      sql`select count(*) as entries, ${records} as records from (${found} limit ${limit}) entries`,
    );
    const { entries, records: different } = counted ?? { entries: 0, records: 0 };
    if (entries < limit || different > most) return different;
  }
}

/** Those that pass among so many in the order asked for. */
function walkedMatches(
  order: RecordOrder,
  scope: RecordScope,
  probed: readonly RecordCriterion[],
  length: number,
): Sql {
  return sql`select found.record_id from (${walk(order, scope, length)}) found where ${all(probed)}`;
}

/** All that pass, in the order asked for. */
function sortedMatches(
  order: RecordOrder,
  scope: RecordScope,
  driver: RecordCriterion,
  others: readonly RecordCriterion[],
): Sql {
  const distinct = raw(mayRepeat(driver) ? 'distinct' : '');
  return sql`select found.record_id from (select ${distinct} record_id from (${sourceOf(scope, driver)}) entries) found
    ${rowInOrder(order)} where ${all(others)} order by ${sortedBy(order)}`;
}

/** The page of these ids, in their order, as whole records, as far as they fit. */
async function readRecords(
  tx: Tx,
  ids: Sql,
  { offset, pageSize }: Pick<RecordPage, 'offset' | 'pageSize'>,
  ask: Ask = queryInIndexOrder,
): Promise<Cut<DataRecordDetails>> {
  // Each record is looked up by itself: joined, they might be read by their members.
  const page = sql`select record.*, ids.place,
      (select name from members where members.id = record."memberId") as "memberName"
    from (select record_id, row_number() over () as place
      from (${ids} limit ${pageSize} offset ${offset}) ids) ids
    cross join lateral (select ${raw(columnsOf(DataRecordModel))}, value_bytes as "valueBytes" from data_records
      where data_records.id = ids.record_id limit 1) record`;
  return cutOf(await ask<Sized<DataRecordDetails>>(tx, withinBytes(page)));
}

/** That the record `found.record_id` passes all criteria. */
export function all(criteria: readonly RecordCriterion[]): Sql {
  return joined([raw('true'), ...criteria.map(probeOf)], ' and ');
}
